/** Renders a list of models as an RSS 2.0 feed (https://www.rssboard.org/rss-specification). */
import * as Effect from "effect/Effect"
import * as Xml from "effect/encoding/Xml"
import * as Stream from "effect/Stream"
import type { Model } from "../../engine/catalog/model/Model.ts"

export interface FeedOptions {
  /** URL of the site with pages about models, without a trailing slash; undefined omits links. */
  readonly site: string | undefined
  /** Whether items link to a chat with their model. */
  readonly chatLinks: boolean
}

/** Characters that XML does not allow are removed, because descriptions come from third parties. */
export const renderModelsFeed = (
  models: ReadonlyArray<Model>,
  { chatLinks, site }: FeedOptions
): Effect.Effect<string> => {
  const linkOf = ({ id }: Model): ReadonlyArray<Xml.Event> => {
    // RSS 2.0 has no relative links, so items need the public URL.
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
      // Variants share a canonical slug, but guids must be unique.
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
        // RSS 2.0 requires a link in a channel.
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
    // The events form a valid document, so a failure is a bug.
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

/** XML 1.0 allows these characters neither raw nor escaped. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const stripControlCharacters = (text: string): string =>
  text.toWellFormed().replace(controlCharacters, "")

const encodePath = (slug: string): string => slug.split("/").map(encodeURIComponent).join("/")
