/** How large the body of an operation may be, and which settings say so. */
import type { SettingsShape } from "../../Settings.ts"
import type { BodyLimitSetting } from "../../values/errors/RequestErrors.ts"

export interface BodyLimit {
  readonly bytes: number
  /** What to raise for larger ones; absent: nothing does. */
  readonly setting?: BodyLimitSetting
  /** How many containers may stand inside each other. */
  readonly depth: number
  /** Arrays, objects and keys together. */
  readonly nodes: number
  readonly nodesSetting: "maxJsonNodes" | "maxChatJsonNodes"
  /** The limit of bodies in which none of the names stands as a key or a text. */
  readonly unlessNamed?: {
    readonly names: ReadonlyArray<string>
    readonly bytes: number
    readonly setting: BodyLimitSetting
  }
}

export const jsonLimit = ({
  maxBodyBytes,
  maxJsonDepth,
  maxJsonNodes
}: SettingsShape): BodyLimit => ({
  bytes: maxBodyBytes,
  setting: "maxBodyBytes",
  depth: maxJsonDepth,
  nodes: maxJsonNodes,
  nodesSetting: "maxJsonNodes"
})

export const chatLimit = ({
  maxChatBodyBytes,
  maxChatJsonNodes,
  maxJsonDepth
}: SettingsShape): BodyLimit => ({
  bytes: maxChatBodyBytes,
  setting: "maxChatBodyBytes",
  depth: maxJsonDepth,
  nodes: maxChatJsonNodes,
  nodesSetting: "maxChatJsonNodes"
})

/** Of what may show images; names of them stand in the body where it does. */
const limitWithImages = (settings: SettingsShape, names: ReadonlyArray<string>): BodyLimit => ({
  ...jsonLimit(settings),
  bytes: settings.maxImageBodyBytes,
  setting: "maxImageBodyBytes",
  unlessNamed: { names, bytes: settings.maxBodyBytes, setting: "maxBodyBytes" }
})

export const decisionLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["image_url"])

export const videoLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["frame_images", "input_references"])

/** Of a request inside another body, whichever of them it is: it stands one level deeper than by itself. */
export const planLimit = (settings: SettingsShape): BodyLimit => {
  const chat = { ...chatLimit(settings), depth: settings.maxJsonDepth + 1 }
  return settings.maxImageBodyBytes > chat.bytes
    ? { ...chat, bytes: settings.maxImageBodyBytes, setting: "maxImageBodyBytes" }
    : chat
}

/** The same, and no more than an operation takes whatever the settings say. */
export const capBodyLimit = (limit: BodyLimit, bytes: number): BodyLimit => {
  if (limit.bytes <= bytes) return limit
  const { setting: _, ...rest } = limit
  return { ...rest, bytes }
}
