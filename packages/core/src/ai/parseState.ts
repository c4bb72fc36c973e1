/** Parses the input of Effect's decisions as the state of a Decision. */
import type * as DecisionModel from "effect/ai/DecisionModel"
import type { Guidance } from "../questions/Guidance.ts"

/** Images follow the input, each behind the reference by which the input names it. */
export const parseState = ({
  images = [],
  state
}: Pick<DecisionModel.ProviderOptions, "images" | "state">): Guidance =>
  images.length === 0
    ? typeof state === "string" || (typeof state === "object" && state !== null)
      ? state
      : JSON.stringify(state)
    : [
        state,
        ...images.flatMap(({ image: { data, mediaType }, reference }) => [
          `The image ${reference}:`,
          {
            type: "image_url",
            image_url: {
              url: data instanceof URL ? data.href : `data:${mediaType};base64,${data}`
            }
          }
        ])
      ]
