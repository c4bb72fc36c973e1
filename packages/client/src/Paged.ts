/** A list that is paged: awaited, it is the first page; iterated, it is every item of every page. */

/** Nothing is requested until it is awaited or iterated. */
export interface Paged<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  readonly catch: <A>(onRejected: (error: unknown) => A | PromiseLike<A>) => Promise<Page | A>
  /** Every page. */
  readonly pages: () => AsyncIterable<Page>
}

/** The two forms of a page. */
export interface PageFields<Item> {
  readonly data: ReadonlyArray<Item>
  readonly total_count?: number
  readonly next_cursor?: string
}

type Input = Readonly<Record<string, unknown>>

export const makePaged = <Item, Page extends PageFields<Item>>(
  input: Input,
  load: (input: Input) => Promise<Page>
): Paged<Page, Item> => {
  let first: Promise<Page> | undefined
  const loadFirst = () => (first ??= load(input))
  async function* pages(): AsyncGenerator<Page> {
    let at = input
    for (;;) {
      const page = await load(at)
      yield page
      const next = findNext(page, at)
      if (next === undefined) return
      at = { ...input, ...next }
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const { data } of pages()) yield* data
  }
  return {
    // A thenable by design: awaiting a list is how to get one page of it.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (onPage, onError) => loadFirst().then(onPage, onError),
    catch: (onError) => loadFirst().catch(onError),
    pages,
    [Symbol.asyncIterator]: items
  }
}

/** The input of the next page, or undefined after the last one. */
const findNext = (
  { data, next_cursor: cursor, total_count: total }: PageFields<unknown>,
  input: Input
) => {
  if (cursor !== undefined) return { starting_after: cursor }
  const offset = Number(input["offset"] ?? 0) + data.length
  return data.length > 0 && total !== undefined && offset < total ? { offset } : undefined
}
