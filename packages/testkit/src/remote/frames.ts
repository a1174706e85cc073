import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

/** Writes a value with its length before it. */
export function toFrame(value: unknown): Buffer {
  const content = serialize(value)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([length, content])
}

/** Collects what comes of a stream, and tells of each frame that is whole. */
export function frameReader(onFrame: (value: unknown) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE()) {
      const end = 4 + rest.readUInt32LE()
      const frame = rest.subarray(4, end)
      rest = rest.subarray(end)
      onFrame(deserialize(frame))
    }
  }
}

function readExactly(file: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  for (let offset = 0; offset < length; ) {
    const count = readSync(file, buffer, offset, length - offset, null)
    // The other process is gone, and so is whoever could want an answer.
    if (count === 0) process.exit(0)
    offset += count
  }
  return buffer
}

/** Writes a frame and waits for one, doing nothing else. */
export function exchange(file: number, value: unknown): unknown {
  const frame = toFrame(value)
  for (let offset = 0; offset < frame.length; ) offset += writeSync(file, frame, offset)
  return deserialize(readExactly(file, readExactly(file, 4).readUInt32LE()))
}
