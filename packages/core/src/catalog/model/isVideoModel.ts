/** Whether a model makes videos: it is said what it can do with them, or that they are what it puts out. */
import type { Model } from "./Model.ts"

export const isVideoModel = ({ card, video }: Pick<Model, "card" | "video">): boolean =>
  video !== undefined || card.architecture.output_modalities.includes("video")
