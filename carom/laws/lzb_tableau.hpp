// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

/// Explicit Runge-Kutta methods with an estimate of their own error.
namespace carom::lzb {

/// A sum of products a_ij k_j, those that are not zero.
struct Sum {
  static constexpr std::size_t most = 12;
  struct Term {
    std::size_t stage;
    double weight;
  };
  std::size_t size;
  std::array<Term, most> terms;
};

/// Order 5, 6 stages and the first of the next step [Dormand & Prince 1980].
struct DormandPrince5 {
  static constexpr std::size_t stages = 6;
  static constexpr double order = 5.;
  static constexpr bool needs_end = true;  ///< the estimate has the derivative at the end

  static constexpr std::array<Sum, stages> inner = {{
      {0, {}},
      {1, {{{0, 1. / 5.}}}},
      {2, {{{0, 3. / 40.}, {1, 9. / 40.}}}},
      {3, {{{0, 44. / 45.}, {1, -56. / 15.}, {2, 32. / 9.}}}},
      {4, {{{0, 19372. / 6561.}, {1, -25360. / 2187.}, {2, 64448. / 6561.}, {3, -212. / 729.}}}},
      {5,
       {{{0, 9017. / 3168.},
         {1, -355. / 33.},
         {2, 46732. / 5247.},
         {3, 49. / 176.},
         {4, -5103. / 18656.}}}},
  }};
  static constexpr Sum result = {5,
                                 {{{0, 35. / 384.},
                                   {2, 500. / 1113.},
                                   {3, 125. / 192.},
                                   {4, -2187. / 6784.},
                                   {5, 11. / 84.}}}};
  /// The result less that of order 4.
  static constexpr std::array<Sum, 1> errors = {{{6,
                                                  {{{0, 71. / 57600.},
                                                    {2, -71. / 16695.},
                                                    {3, 71. / 1920.},
                                                    {4, -17253. / 339200.},
                                                    {5, 22. / 525.},
                                                    {6, -1. / 40.}}}}}};
  static double size(const std::array<double, 1>& error) { return error[0]; }
};

/// Order 8, 12 stages, estimates of orders 5 and 3
/// [Hairer, Norsett & Wanner 1993, sec. II.5, DOP853].
struct DormandPrince8 {
  static constexpr std::size_t stages = 12;
  static constexpr double order = 8.;
  static constexpr bool needs_end = false;

  static constexpr std::array<Sum, stages> inner = {{
      {0, {}},
      {1, {{{0, 0.05260015195876773}}}},
      {2, {{{0, 0.0197250569845379}, {1, 0.0591751709536137}}}},
      {2, {{{0, 0.02958758547680685}, {2, 0.08876275643042054}}}},
      {3, {{{0, 0.2413651341592667}, {2, -0.8845494793282861}, {3, 0.924834003261792}}}},
      {3, {{{0, 0.037037037037037035}, {3, 0.17082860872947386}, {4, 0.12546768756682242}}}},
      {4,
       {{{0, 0.037109375}, {3, 0.17025221101954405}, {4, 0.06021653898045596}, {5, -0.017578125}}}},
      {5,
       {{{0, 0.03709200011850479},
         {3, 0.17038392571223998},
         {4, 0.10726203044637328},
         {5, -0.015319437748624402},
         {6, 0.008273789163814023}}}},
      {6,
       {{{0, 0.6241109587160757},
         {3, -3.3608926294469414},
         {4, -0.868219346841726},
         {5, 27.59209969944671},
         {6, 20.154067550477894},
         {7, -43.48988418106996}}}},
      {7,
       {{{0, 0.47766253643826434},
         {3, -2.4881146199716677},
         {4, -0.590290826836843},
         {5, 21.230051448181193},
         {6, 15.279233632882423},
         {7, -33.28821096898486},
         {8, -0.020331201708508627}}}},
      {8,
       {{{0, -0.9371424300859873},
         {3, 5.186372428844064},
         {4, 1.0914373489967295},
         {5, -8.149787010746927},
         {6, -18.52006565999696},
         {7, 22.739487099350505},
         {8, 2.4936055526796523},
         {9, -3.0467644718982196}}}},
      {9,
       {{{0, 2.273310147516538},
         {3, -10.53449546673725},
         {4, -2.0008720582248625},
         {5, -17.9589318631188},
         {6, 27.94888452941996},
         {7, -2.8589982771350235},
         {8, -8.87285693353063},
         {9, 12.360567175794303},
         {10, 0.6433927460157636}}}},
  }};

  static constexpr Sum result = {8,
                                 {{{0, 0.054293734116568765},
                                   {5, 4.450312892752409},
                                   {6, 1.8915178993145003},
                                   {7, -5.801203960010585},
                                   {8, 0.3111643669578199},
                                   {9, -0.1521609496625161},
                                   {10, 0.20136540080403034},
                                   {11, 0.04471061572777259}}}};

  /// The result less that of order 3.
  static constexpr Sum third = {8,
                                {{{0, -0.18980075407240762},
                                  {5, 4.450312892752409},
                                  {6, 1.8915178993145003},
                                  {7, -5.801203960010585},
                                  {8, -0.4226823213237919},
                                  {9, -0.1521609496625161},
                                  {10, 0.20136540080403034},
                                  {11, 0.02265179219836082}}}};

  /// The result less that of order 5.
  static constexpr Sum fifth = {8,
                                {{{0, 0.01312004499419488},
                                  {5, -1.2251564463762044},
                                  {6, -0.4957589496572502},
                                  {7, 1.6643771824549864},
                                  {8, -0.35032884874997366},
                                  {9, 0.3341791187130175},
                                  {10, 0.08192320648511571},
                                  {11, -0.022355307863886294}}}};

  static constexpr std::array<Sum, 2> errors = {fifth, third};
  /// [Hairer, Norsett & Wanner 1993, eq. II.10.17]
  static double size(const std::array<double, 2>& error) {
    const double both = std::sqrt(error[0] * error[0] + 0.01 * error[1] * error[1]);
    return both > 0. ? error[0] * error[0] / both : 0.;
  }
};

}  // namespace carom::lzb
