/** The names of fields in stored records, where they differ: those of earlier versions, so that every version reads all records. */
import type { Generation } from "./Generation.ts"

/** Earlier versions had the `user` of a request under `user`, and the acting user of some records under `askedBy`. */
export const generationDocumentNames = { user: "askedBy", externalUser: "user" } as const

/** A record with the names that it is stored under. */
export const toGenerationDocument = (generation: Generation): object => {
  const { externalUser, user, ...rest } = generation
  if (user === undefined && externalUser === undefined) return generation
  return {
    ...rest,
    ...(user === undefined ? undefined : { [generationDocumentNames.user]: user }),
    ...(externalUser === undefined
      ? undefined
      : { [generationDocumentNames.externalUser]: externalUser })
  }
}
