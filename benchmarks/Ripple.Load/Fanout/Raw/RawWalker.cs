using System.Buffers.Binary;
using System.Security.Cryptography;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout.Raw;

/// <summary>
/// What one raw receiver does: splits a train by the packets' own lengths, walks the frames and checks the checksum of each message, also
/// of those that go on in the next packet. A message that misses a part is not counted. One thread.
/// </summary>
internal sealed class RawWalker(AesGcm? cipher, LatencyHistogram? latencies)
{
    private const int PartOffset = FrameReader.HeaderBytes;
    private ulong _pieceId;
    private uint _end;
    private uint _crc;

    public long Packets { get; private set; }

    /// <summary>Pieces whose checksum is right.</summary>
    public long Pieces { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Pieces whose checksum is wrong, and packets that cannot be read.</summary>
    public long Bad { get; private set; }

    public void Take(Span<byte> train)
    {
        while (train.Length > RawPacker.FramesOffset)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(train[2..]);
            if (length > train.Length || length < RawPacker.FramesOffset + PacketHeader.TagSize)
            {
                Bad++;
                return;
            }

            Packets++;
            Span<byte> packet = train[..length];
            if (cipher is null || TryOpen(packet))
            {
                Walk(packet[RawPacker.FramesOffset..^PacketHeader.TagSize]);
            }

            train = train[length..];
        }
    }

    private bool TryOpen(Span<byte> packet)
    {
        Span<byte> nonce = stackalloc byte[12];
        BinaryPrimitives.WriteUInt64LittleEndian(
            nonce, BinaryPrimitives.ReadUInt64LittleEndian(packet[20..]) & ((1UL << PacketHeader.ClassShift) - 1));
        Span<byte> frames = packet[PacketHeader.Size..^PacketHeader.TagSize];
        try
        {
            cipher!.Decrypt(nonce, frames, packet[^PacketHeader.TagSize..], frames, packet[..PacketHeader.Size]);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            Bad++;
            return false;
        }
    }

    private void Walk(ReadOnlySpan<byte> frames)
    {
        while (frames.Length >= MessagePart.OverheadBytes && frames[0] == (byte)FrameType.Message)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(frames[2..]);
            ReadOnlySpan<byte> bytes = frames[MessagePart.OverheadBytes..(PartOffset + length)];
            ulong pieceId = BinaryPrimitives.ReadUInt64LittleEndian(frames[8..]);
            uint offset = BinaryPrimitives.ReadUInt32LittleEndian(frames[16..]);
            uint total = BinaryPrimitives.ReadUInt32LittleEndian(frames[20..]);
            frames = frames[(PartOffset + length)..];
            uint crc;
            if (offset == 0)
            {
                crc = Crc32C.Of(bytes);
            }
            else if (pieceId == _pieceId && offset == _end)
            {
                crc = Crc32C.Append(_crc, bytes);
            }
            else
            {
                continue;
            }

            if (offset + (uint)bytes.Length == total)
            {
                Count(crc, total);
                if (offset == 0)
                {
                    latencies?.Add(System.Diagnostics.Stopwatch.GetTimestamp() - Piece.SentAtOf(bytes));
                }
            }
            else
            {
                _pieceId = pieceId;
                _end = offset + (uint)bytes.Length;
                _crc = crc;
            }
        }
    }

    private void Count(uint crc, uint bytes)
    {
        if (crc == Crc32C.Intact)
        {
            Pieces++;
            Bytes += bytes;
        }
        else
        {
            Bad++;
        }
    }
}
