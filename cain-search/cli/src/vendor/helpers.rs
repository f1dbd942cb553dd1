//! What functions need that the vendor's library does not have.

/// Templates and functions that all headers share.
pub(crate) const HELPERS: &str = "\
#ifndef CAIN_HELPERS
#define CAIN_HELPERS
#include <cmath>
#include <cstdint>

namespace cain_helpers
{
// Rounded down; 0 by 0.
inline int32_t divided(int32_t a, int32_t b)
{
    if (b == 0) return 0;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

inline double divided_wide(double a, double b)
{
    return b == 0 ? 0 : std::floor(a / b);
}

template <class Number> Number least(Number a, Number b)
{
    return b < a ? b : a;
}

template <class Number> Number largest(Number a, Number b)
{
    return b > a ? b : a;
}

// The nearest number up to which all are exact.
inline double saturated(double number)
{
    return least<double>(largest<double>(number, -9007199254740992.0), 9007199254740992.0);
}

// The nearest whole number.
inline int32_t whole(double number)
{
    return static_cast<int32_t>(std::floor(number + 0.5));
}

// The nearest level that there is.
inline int level(double number)
{
    return static_cast<int>(whole(least<double>(largest<double>(number, -128), 127)));
}

// A number as the errors of the chip want it; as it is where CAIN_WITHOUT_ERRORS is defined, for arrays that have none.
inline double corrected(double number, double factor, double summand)
{
#ifdef CAIN_WITHOUT_ERRORS
    (void)factor, (void)summand;
    return number;
#else
    return number * factor + summand;
#endif
}

// A rectangle as the library addresses it, whose columns count from the right, as far as it is on the array; whether there is any.
inline bool clipped(double top, double left, double height, double width, uint8_t rectangle[4])
{
    const double bottom = least<double>(top + height, 256), right = least<double>(left + width, 256);
    top = largest<double>(top, 0);
    left = largest<double>(left, 0);
    if (!(top < bottom && left < right)) return false;
    rectangle[0] = static_cast<uint8_t>(top);
    rectangle[1] = static_cast<uint8_t>(256 - right);
    rectangle[2] = static_cast<uint8_t>(bottom - 1);
    rectangle[3] = static_cast<uint8_t>(255 - left);
    return true;
}

// Whether any PE has 1.
template <class Register> void any(const Register &of, int32_t found[1])
{
    found[0] = scamp5_global_or(of) != 0;
}

// How many PEs have 1.
template <class Register> void ones(const Register &of, int32_t found[1])
{
    uint8_t bytes[16 * 32];
    found[0] = 0;
    for (int row = 0; row < 256; row += 16)
    {
        scamp5_scan_dreg(of, bytes, static_cast<uint8_t>(row), static_cast<uint8_t>(row + 15));
        for (uint8_t byte : bytes)
        {
            for (; byte != 0; byte &= static_cast<uint8_t>(byte - 1)) ++found[0];
        }
    }
}

// The first row, the first column from the left, the last row and column of PEs that have 1, and whether there are any.
template <class Register> void bounds(const Register &of, int32_t found[5])
{
    uint8_t corners[4] = {0, 255, 0, 255};
    found[4] = scamp5_global_or(of) != 0;
    if (found[4] != 0) scamp5_scan_boundingbox(of, corners);
    found[0] = corners[0];
    found[1] = 255 - corners[3];
    found[2] = corners[2];
    found[3] = 255 - corners[1];
}

// The row of the first PE that has 1, row by row, its column from the left, and whether there is any.
template <class Register> void first(const Register &of, int32_t found[3])
{
    uint8_t event[2] = {255, 0};
    found[2] = scamp5_global_or(of) != 0;
    // From the last column on, which is the first one from the left.
    if (found[2] != 0) scamp5_scan_events(of, event, 1, 1, 0);
    found[0] = event[1];
    found[1] = 255 - event[0];
}

// The sum of what is read of some PEs, in DN.
template <class Register>
int32_t levels(const Register &of, int top, int left, int row_step, int column_step, int height, int width)
{
    uint8_t codes[256];
    int32_t sum = 0;
    const int bottom = top + (height - 1) * row_step;
    for (int column = 0; column < width; ++column)
    {
        const uint8_t at = static_cast<uint8_t>(255 - (left + column * column_step));
        scamp5_scan_areg(of, codes, static_cast<uint8_t>(top), at, static_cast<uint8_t>(bottom), at,
                         static_cast<uint8_t>(row_step), 1);
        for (int row = 0; row < height; ++row) sum += codes[row] - 128;
    }
    return sum;
}
}
#endif
";
