/** A row whose `document` column holds a whole record as JSON, written by this package. */
export interface DocumentRow<A> {
  readonly document: string
  /** Exists only in types, to say what the document holds. */
  readonly holds?: A
}

export const readDocument = <A>({ document }: DocumentRow<A>): A => JSON.parse(document)

export const readFirst = <A>(rows: ReadonlyArray<DocumentRow<A>>): A | undefined => {
  const [row] = rows
  return row === undefined ? undefined : readDocument(row)
}
