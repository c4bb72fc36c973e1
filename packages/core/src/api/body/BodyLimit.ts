/** Size limits of request bodies, derived from the settings. */
import type { SettingsShape } from "../../instance/Settings.ts"
import type { BodyLimitSetting } from "../../values/errors/RequestErrors.ts"

export interface BodyLimit {
  readonly bytes: number
  /** Setting that raises the limit; absent if none does. */
  readonly setting?: BodyLimitSetting
  /** Maximum nesting of arrays and objects. */
  readonly depth: number
  /** Maximum number of arrays, objects and keys. */
  readonly nodes: number
  readonly nodesSetting: "maxJsonNodes" | "maxChatJsonNodes"
  /** The limit of bodies in which these names appear neither as a key nor as a string. */
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

/** For a body with audio in base64, which takes four characters for three bytes. */
export const audioLimit = (settings: SettingsShape): BodyLimit => ({
  ...jsonLimit(settings),
  bytes: Math.ceil(settings.maxAudioBytes / 3) * 4 + settings.maxBodyBytes,
  setting: "maxAudioBytes"
})

/** `maxBodyBytes` for a body without these names, which show that it has media. */
export const limitUnlessNamed = (
  { maxBodyBytes }: SettingsShape,
  limit: BodyLimit,
  names: ReadonlyArray<string>
): BodyLimit => ({
  ...limit,
  unlessNamed: { names, bytes: maxBodyBytes, setting: "maxBodyBytes" }
})

const limitWithImages = (settings: SettingsShape, names: ReadonlyArray<string>): BodyLimit =>
  limitUnlessNamed(
    settings,
    {
      ...jsonLimit(settings),
      bytes: settings.maxImageBodyBytes,
      setting: "maxImageBodyBytes"
    },
    names
  )

export const decisionLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["image_url"])

export const videoLimit = (settings: SettingsShape): BodyLimit =>
  limitWithImages(settings, ["frame_images", "input_references"])

/** A plan request contains a request of any operation, which is therefore nested one level deeper. */
export const planLimit = (settings: SettingsShape): BodyLimit => {
  const chat = { ...chatLimit(settings), depth: settings.maxJsonDepth + 1 }
  return settings.maxImageBodyBytes > chat.bytes
    ? { ...chat, bytes: settings.maxImageBodyBytes, setting: "maxImageBodyBytes" }
    : chat
}

/** Caps a limit at an operation's own maximum, which settings cannot raise. */
export const capBodyLimit = (limit: BodyLimit, bytes: number): BodyLimit => {
  if (limit.bytes <= bytes) return limit
  const { setting: _, ...rest } = limit
  return { ...rest, bytes }
}
