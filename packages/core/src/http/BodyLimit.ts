/** How large the body of an operation may be, and which settings say so. */
import type { SettingsShape } from "../Settings.ts"
import type { BodySetting } from "../values/RequestErrors.ts"

export interface BodyLimit {
  readonly bytes: number
  /** What to raise for larger ones; absent: nothing does. */
  readonly setting?: BodySetting
  /** How many containers may stand inside each other. */
  readonly depth: number
  /** Arrays, objects and keys together. */
  readonly nodes: number
  readonly nodesSetting: "maxJsonNodes" | "maxChatJsonNodes"
  /** The limit of bodies in which none of the names stands as a key or a text. */
  readonly unlessNamed?: {
    readonly names: ReadonlyArray<string>
    readonly bytes: number
    readonly setting: BodySetting
  }
}

export const jsonLimit = ({
  bodyLimitBytes,
  maxJsonDepth,
  maxJsonNodes
}: SettingsShape): BodyLimit => ({
  bytes: bodyLimitBytes,
  setting: "bodyLimitBytes",
  depth: maxJsonDepth,
  nodes: maxJsonNodes,
  nodesSetting: "maxJsonNodes"
})

export const chatLimit = ({
  chatBodyLimitBytes,
  maxChatJsonNodes,
  maxJsonDepth
}: SettingsShape): BodyLimit => ({
  bytes: chatBodyLimitBytes,
  setting: "chatBodyLimitBytes",
  depth: maxJsonDepth,
  nodes: maxChatJsonNodes,
  nodesSetting: "maxChatJsonNodes"
})

/** Of what may show images; names of them stand in the body where it does. */
const limitWithImages = (settings: SettingsShape, names: ReadonlyArray<string>): BodyLimit => ({
  ...jsonLimit(settings),
  bytes: settings.imageBodyLimitBytes,
  setting: "imageBodyLimitBytes",
  unlessNamed: { names, bytes: settings.bodyLimitBytes, setting: "bodyLimitBytes" }
})

export const decisionLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["image_url"])

export const videoLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["frame_images", "input_references"])

/** Of a request inside another body, whichever of them it is: it stands one level deeper than by itself. */
export const planLimit = (settings: SettingsShape): BodyLimit => {
  const chat = { ...chatLimit(settings), depth: settings.maxJsonDepth + 1 }
  return settings.imageBodyLimitBytes > chat.bytes
    ? { ...chat, bytes: settings.imageBodyLimitBytes, setting: "imageBodyLimitBytes" }
    : chat
}

/** The same, and no more than an operation takes whatever the settings say. */
export const atMost = (limit: BodyLimit, bytes: number): BodyLimit => {
  if (limit.bytes <= bytes) return limit
  const { setting: _, ...rest } = limit
  return { ...rest, bytes }
}
