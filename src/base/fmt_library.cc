// The compiled part of fmt, for all three programs: Debian ships it as a shared library only, which the
// static ones cannot link, and the header-only mode costs two seconds in every compile unit.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float value) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double value) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref locale) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref locale) -> char;
template void buffer<char>::append(const char* begin, const char* end);
template void vformat_to(buffer<char>& out, string_view format, basic_format_args<buffer_context<char>> args,
                         locale_ref locale);

}  // namespace detail
FMT_END_NAMESPACE
