/** Makes a key the most recently used of a map, and evicts the least recently used beyond `capacity`. */
export const setMostRecent = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  capacity: number
): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > capacity && oldest !== undefined) map.delete(oldest)
}
