/** Finds the first address in a conversation that must not be passed to a provider, which would fetch it. */
import {
  addressRequired,
  findFileProblem,
  findMediaUrlProblem
} from "../../../engine/outbound/findMediaProblem.ts"
import type { MediaPart } from "../said/turnFacts.ts"

type AddressSettings = Parameters<typeof findMediaUrlProblem>[1]

/**
 * The problem; undefined: none. The id of an image or a film is no address, which providers want in its place, but Anthropic,
 * which keeps files.
 */
export const findTurnMediaProblem = (
  parts: ReadonlyArray<MediaPart>,
  settings: AddressSettings
): string | undefined => {
  for (const part of parts) {
    const problem = findPartProblem(part, settings)
    if (problem !== undefined) return problem
  }
  return undefined
}

const findPartProblem = (
  { source, type }: MediaPart,
  settings: AddressSettings
): string | undefined => {
  if (source.type === "id") {
    return type === "file" || source.dialect === "messages" ? undefined : addressRequired
  }
  if (source.type === "base64") return undefined
  return type === "file"
    ? findFileProblem(source.url, settings)
    : findMediaUrlProblem(source.url, settings)
}
