# A map, made by carom map examples/maps/sun-baruh-3.toml --show mode --plot docs/pictures/modes.svg -q
# Carom 0.1.0
# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] { if (ARG0[i:i] eq "/") { here = ARG0[1:i] } }
data = here."modes.dat"
if (!exists("picture")) picture = here."modes.svg"

set encoding utf8
set minussign
set terminal svg size 862,608 enhanced font "Helvetica,13" background "white"
set output picture
nowhere = 9e99   # stands in the data where there is no value
known(z) = z < nowhere ? z : NaN

# --- lines: 1 and 2 boundaries known in closed form, and what they lie on; 3 and 4 contours
set style line 1 lc rgb "#202020" lw 1.2
set style line 2 lc rgb "#B0FFFFFF" lw 3
set style line 3 lc rgb "#000000" lw 0.9
set style line 4 lc rgb "#FFFFFF" lw 0.9

set multiplot
unset key
unset colorbox
set border 15 lw 1
set tics front out nomirror scale 0.6
set label 'A falling rod: e = 0.7, μ = 0.4 (Sun \& Baruh, Fig. 3)' at screen 0.5, screen 0.967434 center font ",15"

# --- a key
set object rectangle from screen 0.709977, screen 0.876645 to screen 0.735499, screen 0.898026 fc rgb "#77AADD" fs solid border lc rgb "#808080"
set label '0' at screen 0.74478, screen 0.887336 left
set label '70.1 %' at screen 0.983759, screen 0.887336 right tc rgb "#404040"
set label 'slips throughout' at screen 0.74478, screen 0.861842 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.815789 to screen 0.735499, screen 0.837171 fc rgb "#EE8866" fs solid border lc rgb "#808080"
set label '1' at screen 0.74478, screen 0.82648 left
set label '12.2 %' at screen 0.983759, screen 0.82648 right tc rgb "#404040"
set label 'slip stops in compression, then' at screen 0.74478, screen 0.800987 left font ",11" tc rgb "#404040"
set label 'sticks' at screen 0.74478, screen 0.777961 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.731908 to screen 0.735499, screen 0.753289 fc rgb "#EEDD88" fs solid border lc rgb "#808080"
set label '2' at screen 0.74478, screen 0.742599 left
set label '5.1 %' at screen 0.983759, screen 0.742599 right tc rgb "#404040"
set label 'slip stops in compression, then' at screen 0.74478, screen 0.717105 left font ",11" tc rgb "#404040"
set label 'reverses' at screen 0.74478, screen 0.694079 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.648026 to screen 0.735499, screen 0.669408 fc rgb "#FFAABB" fs solid border lc rgb "#808080"
set label '3' at screen 0.74478, screen 0.658717 left
set label '8.6 %' at screen 0.983759, screen 0.658717 right tc rgb "#404040"
set label 'slip stops in restitution, then' at screen 0.74478, screen 0.633224 left font ",11" tc rgb "#404040"
set label 'sticks' at screen 0.74478, screen 0.610197 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.564145 to screen 0.735499, screen 0.585526 fc rgb "#99DDFF" fs solid border lc rgb "#808080"
set label '4' at screen 0.74478, screen 0.574836 left
set label '3.6 %' at screen 0.983759, screen 0.574836 right tc rgb "#404040"
set label 'slip stops in restitution, then' at screen 0.74478, screen 0.549342 left font ",11" tc rgb "#404040"
set label 'reverses' at screen 0.74478, screen 0.526316 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.480263 to screen 0.735499, screen 0.501645 fc rgb "#44BB99" fs solid border lc rgb "#808080"
set label '5' at screen 0.74478, screen 0.490954 left
set label '0.1 %' at screen 0.983759, screen 0.490954 right tc rgb "#404040"
set label 'no slip at first, sticks; only at' at screen 0.74478, screen 0.465461 left font ",11" tc rgb "#404040"
set label '−vₜ⁻/vₙ⁻ = 0, drawn wider' at screen 0.74478, screen 0.442434 left font ",11" tc rgb "#404040"
set object rectangle from screen 0.709977, screen 0.396382 to screen 0.735499, screen 0.417763 fc rgb "#BBCC33" fs solid border lc rgb "#808080"
set label '6' at screen 0.74478, screen 0.407072 left
set label '0.1 %' at screen 0.983759, screen 0.407072 right tc rgb "#404040"
set label 'no slip at first, then slips; only' at screen 0.74478, screen 0.381579 left font ",11" tc rgb "#404040"
set label 'at −vₜ⁻/vₙ⁻ = 0, drawn' at screen 0.74478, screen 0.358553 left font ",11" tc rgb "#404040"
set label 'wider' at screen 0.74478, screen 0.335526 left font ",11" tc rgb "#404040"
set arrow from screen 0.709977, screen 0.300164 to screen 0.735499, screen 0.300164 nohead ls 1
set label 'R₁' at screen 0.74478, screen 0.300164 left
set label 'slip stops at the end of' at screen 0.74478, screen 0.274671 left font ",11" tc rgb "#404040"
set label 'compression' at screen 0.74478, screen 0.251645 left font ",11" tc rgb "#404040"
set arrow from screen 0.709977, screen 0.216283 to screen 0.735499, screen 0.216283 nohead ls 1
set label 'R₃' at screen 0.74478, screen 0.216283 left
set label 'slip stops at the end of the impact' at screen 0.74478, screen 0.190789 left font ",11" tc rgb "#404040"
set arrow from screen 0.709977, screen 0.155428 to screen 0.735499, screen 0.155428 nohead ls 1
set label 'R₂ = μₛ' at screen 0.74478, screen 0.155428 left
set label 'sticking needs just the static' at screen 0.74478, screen 0.129934 left font ",11" tc rgb "#404040"
set label 'friction' at screen 0.74478, screen 0.106908 left font ",11" tc rgb "#404040"

# --- mode, poisson
set lmargin at screen 0.0812065
set rmargin at screen 0.684455
set bmargin at screen 0.0953947
set tmargin at screen 0.901316
set label 'mode, poisson' at screen 0.382831, screen 0.921053 center
set xrange [-70:70]
set yrange [0:4]
set xtics ('−60' -60, '−30' -30, '0' 0, '30' 30, '60' 60)
set ytics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '2' 2, '2.5' 2.5, '3' 3, '3.5' 3.5, '4' 4)
set label 'angle [deg]' at screen 0.382831, screen 0.0263158 center
set label 'slip over approach speed −vₜ⁻/vₙ⁻' at screen 0.0201624, screen 0.498355 center rotate by 90
array colour_1[8] = [0x77AADD, 0xEE8866, 0xEEDD88, 0xFFAABB, 0x99DDFF, 0x44BB99, 0xBBCC33, 0x000000]
set object rectangle from graph 0.28625, graph 0 to graph 0.71375, graph 0.0265306 front fc rgb "#44BB99" fs solid noborder
set arrow from graph 0.28625, graph 0.0265306 to graph 0.71375, graph 0.0265306 nohead front lc rgb "white"
set arrow from graph 0.28625, graph 0 to graph 0.28625, graph 0.0265306 nohead front lc rgb "white"
set arrow from graph 0.71375, graph 0 to graph 0.71375, graph 0.0265306 nohead front lc rgb "white"
set label '5' at graph 0.5, graph 0.0132653 center front font ",11"
set object rectangle from graph 0, graph 0 to graph 0.28625, graph 0.0265306 front fc rgb "#BBCC33" fs solid noborder
set arrow from graph 0, graph 0.0265306 to graph 0.28625, graph 0.0265306 nohead front lc rgb "white"
set arrow from graph 0.28625, graph 0 to graph 0.28625, graph 0.0265306 nohead front lc rgb "white"
set label '6' at graph 0.143125, graph 0.0132653 center front font ",11"
set object rectangle from graph 0.71375, graph 0 to graph 1, graph 0.0265306 front fc rgb "#BBCC33" fs solid noborder
set arrow from graph 0.71375, graph 0.0265306 to graph 1, graph 0.0265306 nohead front lc rgb "white"
set arrow from graph 0.71375, graph 0 to graph 0.71375, graph 0.0265306 nohead front lc rgb "white"
set label '6' at graph 0.856875, graph 0.0132653 center front font ",11"
set label '0' at graph 0.201923, graph 0.704082 center front font ",13"
set label '1' at graph 0.559615, graph 0.181633 center front font ",13"
set label '3' at graph 0.544231, graph 0.520408 center front font ",13"
set label '2' at graph 0.782692, graph 0.112245 center front font ",13"
set label '4' at graph 0.759615, graph 0.328571 center front font ",13"
set label 'R₁' at graph 0.427849, graph 0.234989 center front font ",11" tc rgb "#202020"
set label 'R₃' at graph 0.358122, graph 0.316198 center front font ",11" tc rgb "#202020"
set label 'R₂ = μₛ' at graph 0.663806, graph 0.114286 center front font ",11" tc rgb "#202020"
plot data index 0 matrix using (-69.9125 + (0.175)*$1):(0.0025 + (0.005)*$2):($3 < nowhere ? colour_1[int($3) + 1] : 0xFFFFFF) with rgbimage, \
  data index 1 using 1:2 with lines ls 1, \
  data index 2 using 1:2 with lines ls 1, \
  data index 3 using 1:2 with lines ls 1
unset label
unset object
unset arrow
unset colorbox

unset multiplot
unset output
