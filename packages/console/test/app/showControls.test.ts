import { expect, test } from "vitest"
import { showControls, showControlsEverywhere } from "../../app/format/showControls.ts"

test("characters that reorder text are shown, and line breaks stay", () => {
  expect(showControls("evil\u202egpj.exe\n\u2066\u001b[2J\u200f\u009b")).toBe(
    String.raw`evil\u202egpj.exe` + "\n" + String.raw`\u2066\u001b[2J\u200f\u009b`
  )
  expect(showControls("Größe: 日本語 \t ok")).toBe("Größe: 日本語 \t ok")
  expect(showControls("pay\u200bpal\u{e0041}")).toBe(String.raw`pay\u200bpal\udb40\udc41`)
  // Joiners are part of words and emoji.
  expect(showControls("می\u200cخواهم 👩\u200d💻")).toBe("می\u200cخواهم 👩\u200d💻")
})

test("titles and texts of elements show them, too", () => {
  const hooks: Parameters<typeof showControlsEverywhere>[0] = {}
  showControlsEverywhere(hooks)
  const element = { type: "span", props: { title: "a\u202eb", "aria-label": "c\u202ed" } }
  const text = { type: null, props: "a\u202eb" }
  hooks.vnode?.(element)
  hooks.vnode?.(text)
  expect(element.props.title).toBe(String.raw`a\u202eb`)
  expect(element.props["aria-label"]).toBe(String.raw`c\u202ed`)
  expect(text.props).toBe(String.raw`a\u202eb`)
})
