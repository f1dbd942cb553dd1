// A stand-in for the vendor's library that computes: ideal arithmetic on 256x256 PEs, as the documentation of the machine
// tells it. Rows are kept from the top and columns from the left; the library counts columns from the right.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace chip
{
const int SIDE = 256, PES = SIDE * SIDE;

struct areg { int number; };
struct dreg { int number; };

// A to F, NEWS; then its ports to the east, north, south and west, and what cannot be written.
const int NEWS = 6, EAST = 7, NORTH = 8, SOUTH = 9, WEST = 10, LEVEL = 11;
const int FLAG = 13, SELECT = 14, RECT = 15;

struct array
{
    std::vector<double> levels[7];
    std::vector<bool> bits[16];
    std::vector<uint8_t> picture;
    int level;
    bool is_recording;

    array() : level(0), is_recording(false)
    {
        // What is there before is not known.
        for (int of = 0; of < 7; ++of) levels[of].assign(PES, 37.5 - of);
        for (int of = 0; of < 16; ++of) bits[of].assign(PES, of % 3 == 1);
        bits[FLAG].assign(PES, true);
        picture.assign(PES, 0);
    }
};

inline array &all() { static array only; return only; }

inline void check(bool holds, const char *what)
{
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::exit(3);
}

inline void recorded() { check(all().is_recording, "a word outside of a kernel"); }
inline void called() { check(!all().is_recording, "a call within a kernel"); }

// How far the PE is to the south and to the east whose NEWS a port is.
inline void towards(int port, int &south, int &east)
{
    south = port == SOUTH ? 1 : port == NORTH ? -1 : 0;
    east = port == EAST ? 1 : port == WEST ? -1 : 0;
}

// The PE so far away; -1 outside of the array.
inline int neighbour(int pe, int south, int east)
{
    const int row = pe / SIDE + south, column = pe % SIDE + east;
    return row < 0 || column < 0 || row >= SIDE || column >= SIDE ? -1 : row * SIDE + column;
}

inline double value(areg of, int pe)
{
    if (of.number == LEVEL) return all().level;
    if (of.number <= NEWS) return all().levels[of.number][pe];
    int south, east;
    towards(of.number, south, east);
    const int at = neighbour(pe, south, east);
    return at < 0 ? 0 : all().levels[NEWS][at];
}

inline void transfer(const std::vector<areg> &into, const std::vector<areg> &from)
{
    recorded();
    std::vector<double> bus(PES, 0);
    for (areg of : from)
    {
        for (int pe = 0; pe < PES; ++pe) bus[pe] -= value(of, pe);
    }
    for (areg of : into)
    {
        check(of.number < LEVEL, "a cell that cannot be written");
        for (areg other : from)
        {
            check(other.number != of.number && !(other.number >= NEWS && other.number < LEVEL && of.number >= NEWS),
                  "a cell on both sides of the bus");
        }
        int south = 0, east = 0;
        if (of.number > NEWS) towards(of.number, south, east);
        std::vector<double> &cells = all().levels[of.number > NEWS ? NEWS : of.number];
        for (int pe = 0; pe < PES; ++pe)
        {
            // The PE that drives this cell.
            const int source = neighbour(pe, -south, -east);
            if (all().bits[FLAG][pe]) cells[pe] = source < 0 ? 0 : bus[source] / into.size();
        }
    }
}

inline std::vector<bool> either(const std::vector<dreg> &of)
{
    std::vector<bool> any(PES, false);
    for (dreg one : of)
    {
        for (int pe = 0; pe < PES; ++pe) any[pe] = any[pe] || all().bits[one.number][pe];
    }
    return any;
}

inline void write(dreg into, const std::vector<bool> &bits, bool is_inverted = false)
{
    recorded();
    check(into.number < FLAG, "a bit that cannot be written");
    for (int pe = 0; pe < PES; ++pe)
    {
        if (into.number != 12 || all().bits[0][pe]) all().bits[into.number][pe] = bits[pe] != is_inverted;
    }
}

inline void neighbours(dreg into, dreg of, bool outside)
{
    // R1 to R4: from the south, the west, the north and the east.
    const int south[4] = {1, 0, -1, 0}, east[4] = {0, -1, 0, 1};
    std::vector<bool> any(PES, false);
    for (int pe = 0; pe < PES; ++pe)
    {
        for (int way = 0; way < 4; ++way)
        {
            if (!all().bits[1 + way][pe]) continue;
            const int at = neighbour(pe, south[way], east[way]);
            any[pe] = any[pe] || (at < 0 ? outside : bool(all().bits[of.number][at]));
        }
    }
    write(into, any);
}

inline int row_of(int pe) { return pe / SIDE; }
inline int column_of(int pe) { return SIDE - 1 - pe % SIDE; }
inline int pe_of(int row, int column) { return row * SIDE + SIDE - 1 - column; }
inline uint8_t code(double level)
{
    const double rounded = std::floor(level + 0.5) + 128;
    return static_cast<uint8_t>(rounded < 0 ? 0 : rounded > 255 ? 255 : rounded);
}
}

namespace SCAMP5_PE
{
using chip::areg;
using chip::dreg;
static const areg A{0}, B{1}, C{2}, D{3}, E{4}, F{5}, NEWS{chip::NEWS}, XE{chip::EAST}, XN{chip::NORTH}, XS{chip::SOUTH},
    XW{chip::WEST}, IN{chip::LEVEL};
static const dreg R0{0}, R1{1}, R2{2}, R3{3}, R4{4}, R5{5}, R6{6}, R7{7}, R8{8}, R9{9}, R10{10}, R11{11}, R12{12},
    FLAG{chip::FLAG}, SELECT{chip::SELECT}, RECT{chip::RECT};

template <class... Of> void bus(areg y, Of... of) { chip::transfer({y}, {of...}); }
template <class... Of> void bus2(areg y, areg z, Of... of) { chip::transfer({y, z}, {of...}); }
inline void bus3(areg y, areg z, areg u, areg of) { chip::transfer({y, z, u}, {of}); }
template <class... Of> void where(Of... of)
{
    chip::recorded();
    std::vector<double> sum(chip::PES, 0);
    for (areg one : {of...})
    {
        for (int pe = 0; pe < chip::PES; ++pe) sum[pe] += chip::value(one, pe);
    }
    for (int pe = 0; pe < chip::PES; ++pe) chip::all().bits[chip::FLAG][pe] = sum[pe] > 0;
}
template <class... Of> void WHERE(Of... of)
{
    chip::recorded();
    chip::all().bits[chip::FLAG] = chip::either({of...});
}
inline void all()
{
    chip::recorded();
    chip::all().bits[chip::FLAG].assign(chip::PES, true);
}
template <class... Of> void SET(Of... of)
{
    for (dreg one : {of...}) chip::write(one, std::vector<bool>(chip::PES, true));
}
template <class... Of> void CLR(Of... of)
{
    for (dreg one : {of...}) chip::write(one, std::vector<bool>(chip::PES, false));
}
inline void MOV(dreg y, dreg x) { chip::write(y, chip::either({x})); }
inline void NOT(dreg y, dreg x) { chip::write(y, chip::either({x}), true); }
inline void NOT(dreg y) { chip::write(y, chip::either({y}), true); }
inline void OR(dreg y, dreg x) { chip::write(y, chip::either({y, x})); }
inline void NOR(dreg y, dreg x) { chip::write(y, chip::either({y, x}), true); }
template <class... Of> void OR(dreg y, dreg x, dreg z, Of... of) { chip::write(y, chip::either({x, z, of...})); }
template <class... Of> void NOR(dreg y, dreg x, dreg z, Of... of) { chip::write(y, chip::either({x, z, of...}), true); }
inline void DNEWS0(dreg y, dreg x) { chip::neighbours(y, x, false); }
inline void DNEWS1(dreg y, dreg x) { chip::neighbours(y, x, true); }
}

inline void scamp5_kernel_begin()
{
    chip::called();
    chip::all().is_recording = true;
}
inline void scamp5_kernel_end()
{
    chip::recorded();
    chip::all().is_recording = false;
}
inline void scamp5_load_in(int level)
{
    chip::called();
    chip::check(level >= -128 && level <= 127, "a level that there is not");
    chip::all().level = level;
}
inline void scamp5_select_pattern(uint8_t row, uint8_t column, uint8_t free_rows, uint8_t free_columns)
{
    chip::called();
    for (int pe = 0; pe < chip::PES; ++pe)
    {
        chip::all().bits[chip::SELECT][pe] = ((chip::row_of(pe) ^ row) & ~free_rows & 255) == 0
            && ((chip::column_of(pe) ^ column) & ~free_columns & 255) == 0;
    }
}
inline void scamp5_load_rect(chip::dreg into, uint8_t r0, uint8_t c0, uint8_t r1, uint8_t c1)
{
    chip::called();
    chip::check(r0 <= r1 && c0 <= c1, "an empty rectangle");
    for (int pe = 0; pe < chip::PES; ++pe)
    {
        const int row = chip::row_of(pe), column = chip::column_of(pe);
        chip::all().bits[chip::RECT][pe] = row >= r0 && row <= r1 && column >= c0 && column <= c1;
    }
    // How SELECT changes with it is not published.
    chip::all().bits[chip::SELECT].assign(chip::PES, false);
    chip::all().bits[into.number] = chip::all().bits[chip::RECT];
}
inline void scamp5_get_image(chip::areg full, chip::areg half, int gain)
{
    chip::called();
    chip::check(gain == 1, "another gain");
    chip::all().levels[chip::NEWS].assign(chip::PES, -3);
    for (int pe = 0; pe < chip::PES; ++pe)
    {
        chip::all().levels[full.number][pe] = chip::all().picture[pe] - 128.0;
        chip::all().levels[half.number][pe] = chip::all().picture[pe] / 2.0;
    }
}
inline int scamp5_global_or(chip::dreg of)
{
    chip::called();
    int any = 0;
    for (int pe = 0; pe < chip::PES; ++pe) any |= chip::all().bits[of.number][pe] ? 64 : 0;
    return any;
}
inline void scamp5_scan_dreg(chip::dreg of, uint8_t *bytes, uint8_t r0 = 0, uint8_t r1 = 255)
{
    chip::called();
    for (int row = r0; row <= r1; ++row)
    {
        for (int byte = 0; byte < 32; ++byte)
        {
            *bytes = 0;
            // The order of the bits is not published; this one is as good as any.
            for (int bit = 0; bit < 8; ++bit)
            {
                if (chip::all().bits[of.number][chip::pe_of(row, 8 * byte + bit)]) *bytes |= 1 << (bit * 3 % 8);
            }
            ++bytes;
        }
    }
}
inline void scamp5_scan_events(chip::dreg of, uint8_t *events, uint16_t most = 1000, uint8_t h_dir = 0, uint8_t v_dir = 0)
{
    chip::called();
    int count = 0;
    for (int y = 0; y < chip::SIDE; ++y)
    {
        for (int x = 0; x < chip::SIDE; ++x)
        {
            const int row = v_dir == 0 ? y : 255 - y, column = h_dir == 0 ? x : 255 - x;
            if (count == most || !chip::all().bits[of.number][chip::pe_of(row, column)]) continue;
            events[2 * count] = column;
            events[2 * count + 1] = row;
            ++count;
        }
    }
    for (; count < most; ++count) events[2 * count] = events[2 * count + 1] = 0;
}
inline void scamp5_scan_boundingbox(chip::dreg of, uint8_t *box)
{
    chip::called();
    bool is_empty = true;
    for (int pe = 0; pe < chip::PES; ++pe)
    {
        if (!chip::all().bits[of.number][pe]) continue;
        const int row = chip::row_of(pe), column = chip::column_of(pe);
        if (is_empty || row < box[0]) box[0] = row;
        if (is_empty || column < box[1]) box[1] = column;
        if (is_empty || row > box[2]) box[2] = row;
        if (is_empty || column > box[3]) box[3] = column;
        is_empty = false;
    }
    chip::check(!is_empty, "what the box of no PE is, is not published");
}
inline uint8_t scamp5_global_sum_fast(chip::areg of)
{
    chip::called();
    double sum = 0;
    for (int pe = 0; pe < chip::PES; ++pe) sum += chip::all().levels[of.number][pe];
    return chip::code(sum / 4096);
}
inline void scamp5_scan_areg(chip::areg of, uint8_t *codes, uint8_t r0, uint8_t c0, uint8_t r1, uint8_t c1, uint8_t rs, uint8_t cs)
{
    chip::called();
    for (int column = c0; column <= c1; column += cs)
    {
        for (int row = r0; row <= r1; row += rs) *codes++ = chip::code(chip::all().levels[of.number][chip::pe_of(row, column)]);
    }
}
