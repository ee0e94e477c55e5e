#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws kane-levinson.svg, the README's picture, from what the command says of the example.
# Needs gnuplot and python3. Usage: docs/pictures/kane-levinson.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./run solve examples/kane-levinson.toml --json >"$work/solve.json"
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
solved = json.load(open(work + "/solve.json"))
(nn, nt), (_, tt) = solved["inverse_inertia"]
vn, vt = solved["approach"]
mu = solved["surface"]["friction"]
with open(work + "/bars", "w") as bars:
    for k, o in enumerate(solved["outcomes"]):
        with open(f"{work}/path{k}", "w") as path:
            print(0, 0, file=path)
            for phase in o["phases"] or [o]:
                print(phase["impulse"][1], phase["impulse"][0], file=path)
        percent = 100 * o["energy"]["change"] / solved["energy_before"]
        print(k, percent, f'"{percent:+.0f} %"', file=bars)
with open(work + "/lines.gp", "w") as gp:
    print(f"mu = {mu}", file=gp)
    # Line of sticking v_t = 0 and of greatest compression v_n = 0, as P_n over P_t.
    print(f"stick(x) = ({-vt} - {tt} * x) / {nt}", file=gp)
    print(f"compressed(x) = ({-vn} - {nt} * x) / {nn}", file=gp)
PY
cat >"$work/draw.gp" <<'GP'
load work."/lines.gp"
set terminal svg size 960,400 name "carom" font "Helvetica,13" background "white"
set output "docs/pictures/kane-levinson.svg"
set multiplot layout 1,2
set samples 400
set style line 1 lc rgb "#D55E00" lw 2.5 pt 5 ps 0.9   # newton
set style line 2 lc rgb "#0072B2" lw 2.5 pt 7 ps 0.9   # poisson
set style line 3 lc rgb "#009E73" lw 2.5 pt 9 ps 1.1   # energetic
set style line 4 lc rgb "#CC79A7" lw 2.5 pt 13 ps 1.2  # moreau
set border 3
set tics nomirror out
set title "Routh's diagram: from the origin, slip, then stick" font ",14"
set xlabel "tangential impulse P_t  [N s]"
set ylabel "normal impulse P_n  [N s]"
set xrange [-2.6:1.2]
set yrange [0:3.8]
set key at graph 1.0, 0.98 right top samplen 2 spacing 1.1
set label 1 "friction cone" at 0.42,1.35 tc rgb "#777777" font ",11" front
set label 2 "line of sticking" at -0.80,2.78 rotate by -50 tc rgb "#333333" font ",11" front
set label 3 "greatest compression" at -1.83,3.12 rotate by -50 tc rgb "#777777" font ",11" front
plot "+" using 1:(abs($1)/mu):(3.8) with filledcurves fc rgb "#f3f3f3" notitle, \
     abs(x)/mu with lines lc rgb "#bbbbbb" lw 1 notitle, \
     stick(x) with lines lc rgb "#333333" dt 2 lw 1 notitle, \
     compressed(x) with lines lc rgb "#999999" dt 4 lw 1 notitle, \
     work."/path0" with lines ls 1 notitle, \
     work."/path2" with lines ls 3 notitle, \
     work."/path1" with lines ls 2 notitle, \
     work."/path3" every ::1 with points ls 4 ps 1.6 title "moreau", \
     work."/path0" every ::3 with linespoints ls 1 title "newton", \
     work."/path2" every ::3 with linespoints ls 3 title "energetic", \
     work."/path1" every ::3 with linespoints ls 2 title "poisson"
unset label
unset arrow
unset key
set border 2
set title "Who creates energy?" font ",14"
set xlabel ""
set ylabel "change of kinetic energy [%]"
set xrange [-0.6:4.6]
set yrange [-70:80]
set style fill solid 0.9 noborder
set boxwidth 0.6
set xtics scale 0 ("" 0)
set xzeroaxis lt -1
set label 11 "newton" at 0,-8 center
set label 12 "poisson" at 1,8 center
set label 13 "energetic" at 2,8 center
set label 14 "moreau" at 3,-8 center
set label 15 "moreau:\npoisson" at 4,15 center
colour(k) = k == 0 ? 0xD55E00 : k == 1 ? 0x0072B2 : k == 2 ? 0x009E73 : k == 3 ? 0xCC79A7 : 0x56B4E9
plot work."/bars" using 1:2:(colour($1)) with boxes lc rgb variable, \
     work."/bars" using 1:($2 > 0 ? $2 + 6 : $2 - 6):3 with labels
unset multiplot
GP
gnuplot -e "work='$work'" "$work/draw.gp"
