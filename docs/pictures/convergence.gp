# Errors of motion, made by docs/pictures/convergence.sh.
# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] { if (ARG0[i:i] eq "/") { here = ARG0[1:i] } }
data = here."convergence.dat"
if (!exists("picture")) picture = here."convergence.svg"

set encoding utf8
set minussign
set terminal svg size 980,460 enhanced rounded font "Helvetica,13" background "white"
set output picture

set style line 1 lc rgb "#0072B2" lw 1.6 pt 7 ps 0.55
set style line 2 lc rgb "#D55E00" lw 1.6 pt 5 ps 0.5
set style line 3 lc rgb "#009E73" lw 1.6 pt 9 ps 0.65
set style line 9 lc rgb "#909090" lw 1.2 dt (8,5)

set multiplot
set logscale xy
set border 3
set tics nomirror out
set grid lc rgb "#E6E6E6" lw 0.6
set mxtics 1
set mytics 1
set format y "10^{%T}"
set yrange [1e-15:1e-3]
set ylabel "error of event times, relative" offset 0.5
set tmargin at screen 0.93
set bmargin at screen 0.15

set lmargin at screen 0.1
set rmargin at screen 0.5
set format x "10^{%T}"
set xrange [1e-3:5e-13]
set xlabel "tolerance"
set key at graph 0.97, graph 0.97 right top samplen 2 spacing 1.2
plot data index 0 using 1:3 with linespoints ls 1 title "disc and ball, case 7", \
  data index 1 using 1:3 with linespoints ls 2 title "double pendulum", \
  data index 2 using 1:3 with linespoints ls 3 title "block that rocks and slips", \
  x with lines ls 9 title "error = tolerance"

set lmargin at screen 0.58
set rmargin at screen 0.97
set format x "%g"
set xrange [5:200]
set xtics (5, 10, 20, 50, 100, 200)
set xlabel "steps"
unset ylabel
unset key
set key at graph 0.97, graph 0.97 right top samplen 2 spacing 1.2
plot data index 0 using 2:3 with linespoints ls 1 notitle, \
  data index 1 using 2:3 with linespoints ls 2 notitle, \
  data index 2 using 2:3 with linespoints ls 3 notitle, \
  3e5*x**-8 with lines ls 9 title "error ∝ steps^{−8}"
unset multiplot
unset output
