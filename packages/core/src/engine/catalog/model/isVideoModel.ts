/** Whether a model generates videos: it has video capabilities, or videos among its outputs. */
import type { Model } from "./Model.ts"

export const isVideoModel = ({ card, video }: Pick<Model, "card" | "video">): boolean =>
  video !== undefined || card.architecture.output_modalities.includes("video")
