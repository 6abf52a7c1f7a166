#pragma once

#include <span>
#include <string>
#include <string_view>

// The plot of a report: samples of the base ("good") and of the changed revision ("bad") in run order, drawn
// character by character as gnuplot's `dumb size 80,20` terminal does.
namespace kilter::report {

// kilter: no sample lies under the frame or under another: there is room around them, and where a bad sample
// falls on a good one the sign is @. lkp: as gnuplot draws it, where the frame hides samples at the ends.
enum class PlotStyle { kilter, lkp };

// 20 rows of 80 characters, no newline after the last. Bad samples are O, good ones + joined by lines. Values
// that are not finite are left out; "" when there is no sample at all.
[[nodiscard]] std::string ascii_plot(std::string_view title, std::span<const double> bad,
                                     std::span<const double> good, PlotStyle style = PlotStyle::kilter);

// What the signs mean. LKP's own text names a * that is never drawn.
[[nodiscard]] std::string plot_legend(PlotStyle style = PlotStyle::kilter);

}  // namespace kilter::report
