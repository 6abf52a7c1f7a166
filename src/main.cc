#include <cstdio>

int main() {
  std::puts("kilter 0.1.0");
  return 0;
}
