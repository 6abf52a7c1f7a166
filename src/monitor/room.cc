// Placeholder until the first source of this room lands.
namespace kilter::monitor {}
