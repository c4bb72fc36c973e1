/** Reads the next page of a list. */
import type { Pages } from "../api/usePages.ts"

export const LoadMore = ({
  pages: { isLoadingMore, loadMore }
}: {
  readonly pages: Pick<Pages<unknown>, "isLoadingMore" | "loadMore">
}) =>
  isLoadingMore || loadMore !== undefined ? (
    <p class="more">
      <button type="button" onClick={loadMore} disabled={isLoadingMore}>
        {isLoadingMore ? "Loading…" : "Load more"}
      </button>
    </p>
  ) : null
