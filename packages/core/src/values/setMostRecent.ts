/** Makes a key the most recently used of a map, and evicts the least recently used beyond `capacity`. */
export const setMostRecent = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  capacity: number
): void => {
  map.delete(key)
  map.set(key, value)
  // Only then, because the search for the first key walks over those deleted since the map was last rebuilt.
  if (map.size > capacity) evictOldest(map)
}

const evictOldest = <Key>(map: Map<Key, unknown>): void => {
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
