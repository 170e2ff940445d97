import { render } from "solid-js/web";
import "./app.css";
import { App } from "./app";

render(() => <App />, document.getElementById("app")!);
