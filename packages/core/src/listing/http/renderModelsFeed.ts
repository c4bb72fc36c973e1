/** A list of models as an RSS 2.0 feed. Sources: semantics F, the RSS 2.0 specification. */
import * as Effect from "effect/Effect"
import * as Xml from "effect/encoding/Xml"
import * as Stream from "effect/Stream"
import type { Model } from "../../catalog/model/Model.ts"

export interface FeedOptions {
  /** Where people read about models, without a slash at the end; absent: items have no link. */
  readonly site: string | undefined
  /** Items link to a chat with their model. */
  readonly chatLinks: boolean
}

/** Text XML has no characters for is left out: descriptions come from elsewhere. */
export const renderModelsFeed = (
  models: ReadonlyArray<Model>,
  { chatLinks, site }: FeedOptions
): Effect.Effect<string> => {
  const linkOf = ({ id }: Model): ReadonlyArray<Xml.Event> => {
    // RSS 2.0 knows no relative links, and whose page it would be nobody said.
    if (site === undefined) return []
    const chat = `${site}/chat?models=${encodeURIComponent(id)}`
    return textElement("link", chatLinks ? chat : `${site}/${encodePath(id)}`)
  }
  const item = (model: Model): ReadonlyArray<Xml.Event> => {
    const { card, created } = model
    return element("item", [
      ...textElement("title", `${card.name} (${card.id})`),
      ...linkOf(model),
      ...textElement("description", card.description),
      // Variants share a canonical slug, and a feed must not.
      ...textElement("guid", card.id, { isPermaLink: "false" }),
      ...(created === undefined
        ? []
        : textElement("pubDate", new Date(created * 1000).toUTCString()))
    ])
  }
  const events: ReadonlyArray<Xml.Event> = [
    { _tag: "Declaration", version: "1.0", encoding: "UTF-8" },
    ...element(
      "rss",
      element("channel", [
        ...textElement("title", "Models"),
        // A channel must have one.
        ...textElement("link", site ?? "urn:signalbox:models"),
        ...textElement(
          "description",
          "The models of this catalog, newest first unless sorted otherwise"
        ),
        ...models.flatMap(item)
      ]),
      { version: "2.0" }
    )
  ]
  return Stream.fromIterable(events).pipe(
    Stream.pipeThroughChannel(Xml.encodeString()),
    Stream.mkString,
    // What is put together here is a document; a failure would be a bug.
    Effect.orDie
  )
}

const element = (
  name: string,
  children: ReadonlyArray<Xml.Event>,
  attributes: Readonly<Record<string, string>> = {}
): ReadonlyArray<Xml.Event> => [
  { _tag: "StartElement", name, attributes },
  ...children,
  { _tag: "EndElement", name }
]

const textElement = (
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {}
): ReadonlyArray<Xml.Event> =>
  element(name, [{ _tag: "Text", text: stripControlCharacters(content) }], attributes)

/** XML 1.0 has no way to write these, escaped or not. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const stripControlCharacters = (text: string): string =>
  text.toWellFormed().replace(controlCharacters, "")

const encodePath = (slug: string): string => slug.split("/").map(encodeURIComponent).join("/")
