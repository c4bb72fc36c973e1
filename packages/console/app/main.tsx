/** Starts the console in its page. */
import { options, render } from "preact"
import { showControlsEverywhere } from "./format/showControls.ts"
import { applyColorScheme } from "./preferences/colorScheme.ts"
import { Shell } from "./shell/Shell.tsx"
// oxlint-disable-next-line import/no-unassigned-import -- the bundler makes a style sheet of it
import "./style/style.css"

const root = document.querySelector("#console")
if (root !== null) {
  applyColorScheme()
  root.replaceChildren()
  showControlsEverywhere(options)
  render(<Shell />, root)
}
