/** The answer to a rerank. */
import * as Schema from "effect/Schema"

/** The documents by relevance, the most relevant first. */
export const Ranking = Schema.Struct({
  id: Schema.String,
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  model: Schema.String,
  provider: Schema.String,
  results: Schema.Array(
    Schema.Struct({
      /** The place of the document in the request, from 0. */
      index: Schema.Int,
      /** Higher is more relevant; comparable only with scores of the same model. */
      relevance_score: Schema.Finite,
      /** The document of the request; a text is the `text` of an object. */
      document: Schema.Struct({
        text: Schema.optionalKey(Schema.String),
        image: Schema.optionalKey(Schema.String)
      })
    })
  ),
  /** The known usage of all attempts, including failed ones. */
  usage: Schema.Struct({
    /** Omitted when the provider bills none. */
    search_units: Schema.optionalKey(Schema.Finite),
    /** Omitted when the provider bills search units only. */
    total_tokens: Schema.optionalKey(Schema.Int),
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite),
    /** The provider's report, where a count or the cost was implausible and so was capped. */
    reported: Schema.optionalKey(
      Schema.Struct({
        total_tokens: Schema.optionalKey(Schema.Finite),
        /** USD. */
        cost: Schema.optionalKey(Schema.Finite)
      })
    )
  })
})
export type Ranking = typeof Ranking.Type
