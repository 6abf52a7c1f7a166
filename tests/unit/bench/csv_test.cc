#include "bench/scale/csv.h"

#include <doctest/doctest.h>

using namespace kilter::bench::scale;

TEST_CASE("the table begins with upstream's header and row of no task") {
  CHECK(Table::head() == "tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n");
}

TEST_CASE("a mode that was not run is 0 and rates are whole numbers") {
  Table table;
  CHECK(table.row({.tasks = 16, .processes = Measurement{46843229.9, 91.66}}) ==
        "16,46843229,91.66,0,0.00,0\n");
  CHECK(table.row({.tasks = 16, .threads = Measurement{7, 0}}) == "16,0,0.00,7,0.00,0\n");
}

TEST_CASE("linear is the better mode of one task times the tasks, once one task was measured") {
  Table table;
  CHECK(table.row({.tasks = 2, .processes = Measurement{150, 0}}).ends_with(",0\n"));
  CHECK(table.row({.tasks = 1, .processes = Measurement{100, 0}, .threads = Measurement{110.5, 1}}) ==
        "1,100,0.00,110,1.00,110\n");
  CHECK(table.row({.tasks = 4, .processes = Measurement{390, 0}}).ends_with(",440\n"));
}
