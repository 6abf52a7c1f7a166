#pragma once

#include <span>
#include <string>
#include <string_view>

// The plot of a report: samples of the base ("good") and of the changed revision ("bad") in run order, drawn
// character by character as gnuplot's `dumb size 80,20` terminal does.
namespace kilter::report {

// 20 rows of 80 characters, no newline after the last. Bad samples are O, good ones + joined by lines. Values
// that are not finite are left out; "" when there is no sample at all.
[[nodiscard]] std::string ascii_plot(std::string_view title, std::span<const double> bad,
                                     std::span<const double> good);

// What the signs mean. LKP's own text names a * that is never drawn.
enum class Legend { kilter, lkp };
[[nodiscard]] std::string plot_legend(Legend legend = Legend::kilter);

}  // namespace kilter::report
