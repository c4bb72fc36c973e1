/** What a row keeps whole: JSON text, which this package has written itself. */
export interface Kept<A> {
  readonly document: string
  /** Never there: it says what the document holds. */
  readonly holds?: A
}

export const read = <A>({ document }: Kept<A>): A => JSON.parse(document)

export const first = <A>(rows: ReadonlyArray<Kept<A>>): A | undefined => {
  const [row] = rows
  return row === undefined ? undefined : read(row)
}
