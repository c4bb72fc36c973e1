/** Shortens an id to its beginning. */
export const formatId = (id: string): string => (id.length > 16 ? `${id.slice(0, 10)}…` : id)
