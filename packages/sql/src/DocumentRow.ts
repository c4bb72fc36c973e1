/** What a row keeps whole: JSON text, which this package has written itself. */
export interface DocumentRow<A> {
  readonly document: string
  /** Never there: it says what the document holds. */
  readonly holds?: A
}

export const readDocument = <A>({ document }: DocumentRow<A>): A => JSON.parse(document)

export const readFirst = <A>(rows: ReadonlyArray<DocumentRow<A>>): A | undefined => {
  const [row] = rows
  return row === undefined ? undefined : readDocument(row)
}
