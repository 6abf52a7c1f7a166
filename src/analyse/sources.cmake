set(SOURCES room.cc)
