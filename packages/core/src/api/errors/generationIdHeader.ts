/** The header by which a response names its generation record. */
export const toGenerationIdHeader = (id: string): { readonly "x-generation-id": string } => ({
  "x-generation-id": id
})
