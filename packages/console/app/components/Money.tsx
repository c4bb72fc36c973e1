/** An amount in USD, with as many digits as matter; exact when hovered. */
import { formatExactMoney, formatMoney, unknown } from "../format/format.ts"

export const Money = ({ usd }: { readonly usd: number | null | undefined }) =>
  usd === null || usd === undefined ? (
    <span>{unknown}</span>
  ) : (
    <span title={formatExactMoney(usd)}>{formatMoney(usd)}</span>
  )
