/** Makes invisible characters, and characters that reorder text, visible in every text of the page. */

/** Control characters except line breaks and tabs, and the ones of https://www.unicode.org/reports/tr9/. */
const hidden = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  "g"
)

/** Writes them as in JSON, such as `\u202e`. */
export const showControls = (text: string): string =>
  text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A text has no type, and its props are the text. */
interface RenderedNode {
  readonly type: unknown
  props: unknown
}

/** The hook of Preact's `options` that sees every node before it is rendered. */
interface NodeHooks<Node> {
  vnode?: ((node: Node) => void) | undefined
}

/** Applies to all that is rendered from now on. Text that the user types into a field stays unchanged. */
export const showControlsEverywhere = <Node extends RenderedNode>(hooks: NodeHooks<Node>): void => {
  const { vnode: before } = hooks
  hooks.vnode = (node) => {
    if (node.type === null && typeof node.props === "string") node.props = showControls(node.props)
    const title = Object(node.props)["title"] as unknown
    if (typeof node.type === "string" && typeof title === "string") {
      node.props = { ...Object(node.props), title: showControls(title) }
    }
    before?.(node)
  }
}
