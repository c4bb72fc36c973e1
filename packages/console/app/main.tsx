/** Starts the console in its page. */
import { render } from "preact"
import { Shell } from "./shell/Shell.tsx"
// oxlint-disable-next-line import/no-unassigned-import -- the bundler makes a style sheet of it
import "./style/style.css"

const root = document.querySelector("#console")
if (root !== null) {
  root.replaceChildren()
  render(<Shell />, root)
}
