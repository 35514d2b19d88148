using System.Buffers.Binary;
using System.Security.Cryptography;
using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout.Raw;

/// <summary>Packs messages into packets and trains with the layout that the engine has, and nothing else of it. One thread.</summary>
internal sealed class RawPacker(PieceMaker maker, AesGcm? cipher)
{
    public const int PacketBytesMax = WireLimits.DatagramBytesMax;
    public const int TrainPacketsMax = 44;
    public const int TrainBytesMax = TrainPacketsMax * PacketBytesMax;

    /// <summary>Where the message frames of a packet begin: behind the clear header and the position frame.</summary>
    public const int FramesOffset = PacketHeader.Size + FrameReader.HeaderBytes + StreamPosition.PayloadBytes;

    private const int PartBytesMin = 40;
    private ReadOnlyMemory<byte> _piece;
    private uint _topic;
    private uint _offset;
    private ulong _pieceId;

    /// <summary>Packets made.</summary>
    public ulong Packets { get; private set; }

    /// <summary>True while a piece is begun and not finished.</summary>
    public bool HasRest => !_piece.IsEmpty;

    /// <summary>Fills a buffer with packets of full size, the last one maybe short; returns the bytes.</summary>
    /// <param name="train">Where to.</param>
    /// <param name="packetsMax">How many packets at most.</param>
    /// <param name="piecesMax">How many pieces to begin at most; what is begun is finished when there are packets for it.</param>
    public int Make(Span<byte> train, int packetsMax, int piecesMax)
    {
        int bytes = 0;
        for (int i = 0; i < packetsMax && TryHavePiece(ref piecesMax); i++)
        {
            Span<byte> packet = train.Slice(bytes, PacketBytesMax);
            int packetBytes = Fill(packet[..^PacketHeader.TagSize], ref piecesMax);
            bool isLast = i + 1 == packetsMax || (_piece.IsEmpty && piecesMax == 0);
            if (!isLast)
            {
                // All but the last have one size; what is too short for a part is filled up.
                packet[packetBytes..^PacketHeader.TagSize].Clear();
                packetBytes = PacketBytesMax - PacketHeader.TagSize;
            }

            bytes += Close(packet[..(packetBytes + PacketHeader.TagSize)]);
        }

        return bytes;
    }

    private bool TryHavePiece(ref int piecesMax)
    {
        if (!_piece.IsEmpty)
        {
            return true;
        }

        if (piecesMax == 0)
        {
            return false;
        }

        piecesMax--;
        _piece = maker.Next(out _topic);
        _offset = 0;
        _pieceId++;
        return true;
    }

    private int Fill(Span<byte> packet, ref int piecesMax)
    {
        var writer = new WireWriter(packet);
        writer.Take(PacketHeader.Size);
        new StreamPosition(1, Packets + 1).Write(ref writer);
        bool isFirst = true;
        while (TryHavePiece(ref piecesMax))
        {
            int room = writer.RoomBytes - MessagePart.OverheadBytes;
            int rest = _piece.Length - (int)_offset;
            if (room < rest && room < PartBytesMin && !isFirst)
            {
                break;
            }

            int taken = Math.Min(room, rest);
            new MessagePart(_topic, _pieceId, _offset, (uint)_piece.Length, _piece.Span.Slice((int)_offset, taken)).TryWrite(ref writer);
            _offset += (uint)taken;
            isFirst = false;
            if (_offset < _piece.Length)
            {
                break;
            }

            _piece = default;
        }

        return writer.Position;
    }

    private int Close(Span<byte> packet)
    {
        Packets++;
        new PacketHeader(PacketClass.Data, packet.Length, 1, 1, 0, ((ulong)PacketClass.Data << PacketHeader.ClassShift) | Packets)
            .Write(packet);
        if (cipher is not null)
        {
            Span<byte> nonce = stackalloc byte[12];
            BinaryPrimitives.WriteUInt64LittleEndian(nonce, Packets);
            Span<byte> frames = packet[PacketHeader.Size..^PacketHeader.TagSize];
            cipher.Encrypt(nonce, frames, frames, packet[^PacketHeader.TagSize..], packet[..PacketHeader.Size]);
        }

        return packet.Length;
    }
}
