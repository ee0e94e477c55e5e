# Routh's diagram of one impact, made by `carom solve FILE --plot PICTURE`.
# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] { if (ARG0[i:i] eq "/") { here = ARG0[1:i] } }
data = here."kane-levinson.dat"
if (!exists("picture")) picture = here."kane-levinson.svg"

set encoding utf8
set minussign
set terminal svg size 960,820 enhanced font "Helvetica,13" background "white"
set output picture

# --- texts
heading = 'Kane-Levinson double pendulum striking the ground'
subheading = 'e = 0.5,  μ = 0.7,  η^2 = 0.05;  approach −0.268404 m/s, slip −0.534349 m/s'

# --- styles: each law's line and point, the same in all pictures; then the diagram's own lines
size = 0.65
set style line 1 lc rgb "#D55E00" lw 7.5 dt solid   # newton
set style line 51 lc rgb "#D55E00" lw 1.6 pt 4 ps 3*size   # its end
set style line 2 lc rgb "#0072B2" lw 4.8 dt solid   # poisson
set style line 52 lc rgb "#0072B2" lw 1.6 pt 6 ps 2.4*size   # its end
set style line 3 lc rgb "#009E73" lw 2 dt solid   # energetic
set style line 53 lc rgb "#009E73" lw 1.6 pt 8 ps 1.5*size   # its end
set style line 4 lc rgb "#CC79A7" lw 2.2 dt (10,6)   # moreau
set style line 54 lc rgb "#CC79A7" lw 1.6 pt 12 ps 2.1*size   # its end
set style line 5 lc rgb "#7F3C8D" lw 1 dt solid   # compliant
set style line 55 lc rgb "#7F3C8D" lw 1.6 pt 3 ps 0.9*size   # its end
cone = "#EFEFEF"
edge = "#A0A0A0"
thin = "#606060"
set style line 101 lc rgb cone                       # inside of the friction cone
set style line 102 lc rgb edge dt solid lw 1         # its edge
set style line 103 lc rgb edge dt (6,4) lw 1         # its edge for static friction
set style line 104 lc rgb "#C8C8C8" dt solid lw 4    # line of sticking
set style line 105 lc rgb "#303030" dt (7,5) lw 1.2  # line of greatest compression
set style line 106 lc rgb thin dt solid lw 0.7       # zero, and the frame of the closer view
set style line 107 lc rgb "#202020" pt 7 ps 0.55*size  # where a phase ends

# --- what the axes count in
N = 1    # normal impulse [N s]
T = 1    # tangential impulse [N s]
VN = 1   # normal velocity [m/s]
VT = 1   # slip [m/s]
W = 1    # work [J]

set multiplot
set clip two
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5,0.972 center font ",16"
set label subheading at screen 0.5,0.938 center textcolor rgb "#404040"

# --- the key: a sample and its name in each row
set label '' at screen 0.6925,0.895 point ls 51
set arrow from screen 0.665,0.895 to screen 0.72,0.895 nohead ls 1
set label 'newton (energy-gained)' at screen 0.735,0.895 left
set label '' at screen 0.6925,0.869 point ls 52
set arrow from screen 0.665,0.869 to screen 0.72,0.869 nohead ls 2
set label 'poisson' at screen 0.735,0.869 left
set label '' at screen 0.6925,0.843 point ls 53
set arrow from screen 0.665,0.843 to screen 0.72,0.843 nohead ls 3
set label 'energetic' at screen 0.735,0.843 left
set label '' at screen 0.6925,0.817 point ls 54
set arrow from screen 0.665,0.817 to screen 0.72,0.817 nohead ls 4
set label 'moreau (energy-gained)' at screen 0.735,0.817 left
set label '' at screen 0.6925,0.791 point ls 55
set arrow from screen 0.665,0.791 to screen 0.72,0.791 nohead ls 5
set label 'compliant' at screen 0.735,0.791 left
set object rectangle from screen 0.665,0.757 to screen 0.72,0.773 fc rgb cone fs solid border lc rgb edge
set label 'friction cone, |P_t| ≤ μ P_n' at screen 0.735,0.765 left
set arrow from screen 0.665,0.739 to screen 0.72,0.739 nohead ls 104
set label 'line of sticking, v_t = 0' at screen 0.735,0.739 left
set arrow from screen 0.665,0.713 to screen 0.72,0.713 nohead ls 105
set label 'greatest compression, v_n = 0' at screen 0.735,0.713 left

# --- the plane of impulse
set lmargin at screen 0.085
set rmargin at screen 0.63
set bmargin at screen 0.45
set tmargin at screen 0.905
set xlabel "tangential impulse P_t  [N s]"
set ylabel "normal impulse P_n  [N s]"
set xrange [-1.66277:1.51601]
set xtics 0.5
set yrange [0:3.64643]
set ytics 0.5
set object rectangle from -0.302714,0 to 0.424773,0.723137 front fs empty border lc rgb thin
plot data index 1 using ($2/T):($1/N) with filledcurves closed ls 101 notitle, \
  data index 0 using ($2/T):($1/N) with lines ls 102 notitle, \
  data index 3 using ($2/T):($1/N) with lines ls 104 notitle, \
  data index 4 using ($2/T):($1/N) with lines ls 105 notitle, \
  data index 5 using ($2/T):($1/N) with lines ls 1 notitle, \
  data index 6 using ($2/T):($1/N) with lines ls 2 notitle, \
  data index 7 using ($2/T):($1/N) with lines ls 3 notitle, \
  data index 9 using ($2/T):($1/N) with lines ls 5 notitle, \
  data index 8 using ($2/T):($1/N) with lines ls 4 notitle, \
  data index 5 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 6 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 7 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 9 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 8 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 5 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 51 pt 5 lc rgb "white" notitle, \
  data index 6 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 52 pt 7 lc rgb "white" notitle, \
  data index 8 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 54 pt 13 lc rgb "white" notitle, \
  data index 7 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 53 pt 9 lc rgb "white" notitle, \
  data index 5 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 51 notitle, \
  data index 6 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 52 notitle, \
  data index 8 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 54 notitle, \
  data index 7 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 53 notitle, \
  data index 9 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 55 notitle
unset label
unset arrow
unset object

# --- a closer view of the laws that end early
set lmargin at screen 0.735
set rmargin at screen 0.98
set bmargin at screen 0.45
set tmargin at screen 0.667
set label "the framed part, closer" at graph 0.5,1.05 center
set xlabel "P_t  [N s]"
set ylabel "P_n  [N s]"
set xrange [-0.302714:0.424773]
set xtics 0.2
set yrange [0:0.723137]
set ytics 0.2
plot data index 2 using ($2/T):($1/N) with filledcurves closed ls 101 notitle, \
  data index 0 using ($2/T):($1/N) with lines ls 102 notitle, \
  data index 3 using ($2/T):($1/N) with lines ls 104 notitle, \
  data index 4 using ($2/T):($1/N) with lines ls 105 notitle, \
  data index 5 using ($2/T):($1/N) with lines ls 1 notitle, \
  data index 6 using ($2/T):($1/N) with lines ls 2 notitle, \
  data index 7 using ($2/T):($1/N) with lines ls 3 notitle, \
  data index 9 using ($2/T):($1/N) with lines ls 5 notitle, \
  data index 8 using ($2/T):($1/N) with lines ls 4 notitle, \
  data index 5 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 6 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 7 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 9 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 8 using ($2/T):($6 == 1 ? ($1/N) : NaN) with points ls 107 notitle, \
  data index 5 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 51 pt 5 lc rgb "white" notitle, \
  data index 6 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 52 pt 7 lc rgb "white" notitle, \
  data index 8 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 54 pt 13 lc rgb "white" notitle, \
  data index 7 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 53 pt 9 lc rgb "white" notitle, \
  data index 5 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 51 notitle, \
  data index 6 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 52 notitle, \
  data index 8 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 54 notitle, \
  data index 7 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 53 notitle, \
  data index 9 using ($2/T):($6 == 2 ? ($1/N) : NaN) with points ls 55 notitle
unset label

# --- along the normal impulse: normal velocity, slip, work
set bmargin at screen 0.095
set tmargin at screen 0.345
set xlabel "normal impulse P_n  [N s]"
set xrange [-0.109393:3.64643]
set xtics 1

set lmargin at screen 0.085
set rmargin at screen 0.32
set ylabel "normal velocity v_n  [m/s]"
set yrange [-0.300613:0.16641]
set ytics 0.1
plot 0 with lines ls 106 notitle, \
  data index 5 using ($1/N):($3/VN) with lines ls 1 notitle, \
  data index 6 using ($1/N):($3/VN) with lines ls 2 notitle, \
  data index 7 using ($1/N):($3/VN) with lines ls 3 notitle, \
  data index 9 using ($1/N):($3/VN) with lines ls 5 notitle, \
  data index 8 using ($1/N):($3/VN) with lines ls 4 notitle, \
  data index 5 using ($1/N):($6 == 1 ? ($3/VN) : NaN) with points ls 107 notitle, \
  data index 6 using ($1/N):($6 == 1 ? ($3/VN) : NaN) with points ls 107 notitle, \
  data index 7 using ($1/N):($6 == 1 ? ($3/VN) : NaN) with points ls 107 notitle, \
  data index 9 using ($1/N):($6 == 1 ? ($3/VN) : NaN) with points ls 107 notitle, \
  data index 8 using ($1/N):($6 == 1 ? ($3/VN) : NaN) with points ls 107 notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 51 pt 5 lc rgb "white" notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 52 pt 7 lc rgb "white" notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 54 pt 13 lc rgb "white" notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 53 pt 9 lc rgb "white" notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 51 notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 52 notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 54 notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 53 notitle, \
  data index 9 using ($1/N):($6 == 2 ? ($3/VN) : NaN) with points ls 55 notitle

set lmargin at screen 0.415
set rmargin at screen 0.65
set ylabel "slip v_t  [m/s]"
set yrange [-0.581886:0.107411]
set ytics 0.2
plot 0 with lines ls 106 notitle, \
  data index 5 using ($1/N):($4/VT) with lines ls 1 notitle, \
  data index 6 using ($1/N):($4/VT) with lines ls 2 notitle, \
  data index 7 using ($1/N):($4/VT) with lines ls 3 notitle, \
  data index 9 using ($1/N):($4/VT) with lines ls 5 notitle, \
  data index 8 using ($1/N):($4/VT) with lines ls 4 notitle, \
  data index 5 using ($1/N):($6 == 1 ? ($4/VT) : NaN) with points ls 107 notitle, \
  data index 6 using ($1/N):($6 == 1 ? ($4/VT) : NaN) with points ls 107 notitle, \
  data index 7 using ($1/N):($6 == 1 ? ($4/VT) : NaN) with points ls 107 notitle, \
  data index 9 using ($1/N):($6 == 1 ? ($4/VT) : NaN) with points ls 107 notitle, \
  data index 8 using ($1/N):($6 == 1 ? ($4/VT) : NaN) with points ls 107 notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 51 pt 5 lc rgb "white" notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 52 pt 7 lc rgb "white" notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 54 pt 13 lc rgb "white" notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 53 pt 9 lc rgb "white" notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 51 notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 52 notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 54 notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 53 notitle, \
  data index 9 using ($1/N):($6 == 2 ? ($4/VT) : NaN) with points ls 55 notitle

set lmargin at screen 0.745
set rmargin at screen 0.98
set ylabel "work done  [J]"
set yrange [-0.167307:0.187926]
set ytics 0.1
plot 0 with lines ls 106 notitle, \
  data index 5 using ($1/N):($5/W) with lines ls 1 notitle, \
  data index 6 using ($1/N):($5/W) with lines ls 2 notitle, \
  data index 7 using ($1/N):($5/W) with lines ls 3 notitle, \
  data index 9 using ($1/N):($5/W) with lines ls 5 notitle, \
  data index 8 using ($1/N):($5/W) with lines ls 4 notitle, \
  data index 5 using ($1/N):($6 == 1 ? ($5/W) : NaN) with points ls 107 notitle, \
  data index 6 using ($1/N):($6 == 1 ? ($5/W) : NaN) with points ls 107 notitle, \
  data index 7 using ($1/N):($6 == 1 ? ($5/W) : NaN) with points ls 107 notitle, \
  data index 9 using ($1/N):($6 == 1 ? ($5/W) : NaN) with points ls 107 notitle, \
  data index 8 using ($1/N):($6 == 1 ? ($5/W) : NaN) with points ls 107 notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 51 pt 5 lc rgb "white" notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 52 pt 7 lc rgb "white" notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 54 pt 13 lc rgb "white" notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 53 pt 9 lc rgb "white" notitle, \
  data index 5 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 51 notitle, \
  data index 6 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 52 notitle, \
  data index 8 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 54 notitle, \
  data index 7 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 53 notitle, \
  data index 9 using ($1/N):($6 == 2 ? ($5/W) : NaN) with points ls 55 notitle

unset multiplot
unset output
