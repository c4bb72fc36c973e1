/** Makes invisible characters, and characters that reorder text, visible in every text of the page. */

/**
 * Control characters except line breaks and tabs, the ones of https://www.unicode.org/reports/tr9/, and those without a width
 * (https://www.unicode.org/reports/tr36/#Invisible_Characters) except joiners, which scripts and emoji need.
 */
const hidden = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]`,
  "gu"
)

/** Writes them as in JSON, such as `\u202e`. */
export const showControls = (text: string): string => text.replace(hidden, escapeCharacter)

const escapeCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** Attributes that a viewer reads. */
const shownAttributes = ["title", "aria-label", "label"] as const

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
    if (typeof node.type === "string") {
      for (const name of shownAttributes) {
        const text = Object(node.props)[name] as unknown
        if (typeof text === "string") {
          node.props = { ...Object(node.props), [name]: showControls(text) }
        }
      }
    }
    before?.(node)
  }
}
