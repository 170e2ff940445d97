// The chart library as a chunk of its own: it is loaded with the first chart.
import "uplot/dist/uPlot.min.css";
export { default } from "uplot";
