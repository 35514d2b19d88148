using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class PacketSealingTests
{
    private static readonly int FuzzCount = int.TryParse(Environment.GetEnvironmentVariable("RIPPLE_FUZZ_COUNT"), out int count)
        ? count
        : 20_000;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(1_428)]
    [InlineData(65_535 - 44)]
    public void What_was_sealed_opens(int framesLength)
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        byte[] frames = [.. Enumerable.Range(0, framesLength).Select(i => (byte)i)];
        byte[] packet = Sealing.Seal(new PacketSealer(Sealing.RegionId, key, slot: 7), PacketClass.Nak, frames);
        Assert.True(framesLength < 16 || packet.AsSpan().IndexOf(frames) < 0, "The frames travel in clear.");

        Assert.Equal(OpenStatus.Ok, opener.TryOpen(packet, 0, out PacketHeader header, out ReadOnlySpan<byte> opened));
        Assert.Equal(frames, opened.ToArray());
        Assert.Equal(new PacketHeader(PacketClass.Nak, packet.Length, 1, Sealing.RegionId, 7, 0x0100000000000001), header);
        Assert.Equal(1, opener.CountOf(OpenStatus.Ok));
    }

    [Fact]
    public void A_sealed_packet_is_AES_GCM_with_the_nonce_on_paper()
    {
        using RegionKey key = Sealing.Key(3);
        byte[] packet = Sealing.Seal(new PacketSealer(Sealing.RegionId, key, slot: 0x01020304), PacketClass.Repair, 1, 2, 3);

        using var cipher = new System.Security.Cryptography.AesGcm(Sealing.KeyBytes(3), 16);
        byte[] nonce = Convert.FromHexString("01020304" + "0200000000000001");
        byte[] frames = new byte[3];
        cipher.Decrypt(nonce, packet.AsSpan(28, 3), packet.AsSpan(31), frames, packet.AsSpan(0, 28));
        Assert.Equal([1, 2, 3], frames);
    }

    [Fact]
    public void Every_flipped_bit_is_refused_and_spends_no_number()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        byte[] packet = Sealing.Seal(
            new PacketSealer(Sealing.RegionId, key, 7), PacketClass.Data, [.. Enumerable.Range(0, 40).Select(i => (byte)i)]);
        for (int bit = 0; bit < packet.Length * 8; bit++)
        {
            byte[] changed = [.. packet];
            changed[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.NotEqual(OpenStatus.Ok, opener.TryOpen(changed, 0, out _, out ReadOnlySpan<byte> frames));
            Assert.True(frames.IsEmpty);
        }

        Assert.Equal(0, opener.CountOf(OpenStatus.Replay));
        Assert.True(opener.CountOf(OpenStatus.Forged) > 40 * 8);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packet));
    }

    [Fact]
    public void Truncated_extended_and_random_bytes_never_throw_and_never_open()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 0, 1, 2, 3);
        byte[] packet = Sealing.Seal(
            new PacketSealer(Sealing.RegionId, key, 1), PacketClass.Data, [.. Enumerable.Range(0, 60).Select(i => (byte)i)]);
        var random = new DeterministicRandom(20_240_101);
        for (int i = 0; i < FuzzCount; i++)
        {
            byte[] bytes = new byte[random.NextInt32(160)];
            for (int b = 0; b < bytes.Length; b++)
            {
                bytes[b] = (byte)random.NextUInt64();
            }

            // Random bytes alone would not come past the first check: let part of a true packet stand at the start.
            packet.AsSpan(0, Math.Min(Math.Min(packet.Length, bytes.Length), random.NextInt32(packet.Length))).CopyTo(bytes);
            if (bytes.Length >= 4 && random.NextBool(0.5))
            {
                bytes[2] = (byte)bytes.Length;
                bytes[3] = 0;
            }

            Assert.NotEqual(OpenStatus.Ok, opener.TryOpen(bytes, 0, out _, out _));
        }

        Assert.True(FuzzCount < 1_000 || opener.CountOf(OpenStatus.Forged) > 0, "No input came as far as the tag.");
    }

    [Fact]
    public void A_packet_opens_once_however_late_within_the_window()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7);
        byte[][] packets = [.. Enumerable.Range(0, ReplayWindow.Size + 200).Select(i => Sealing.Seal(sealer, PacketClass.Data, (byte)i))];

        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packets[^1]));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packets[^ReplayWindow.Size]));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, packets[^(ReplayWindow.Size + 1)]));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, packets[^ReplayWindow.Size]));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, packets[^1]));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packets[^500]));
    }

    [Fact]
    public void Data_far_ahead_does_not_make_control_a_replay()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7);
        byte[] token = Sealing.Seal(sealer, PacketClass.Control, 1);
        for (int i = 0; i < 3_000; i++)
        {
            Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(sealer, PacketClass.Data, 2)));
        }

        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, token));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, token));
    }

    [Fact]
    public void No_nonce_comes_twice()
    {
        using RegionKey key = Sealing.Key(1);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7);
        var random = new DeterministicRandom(5);
        var nonces = new HashSet<(uint Slot, ulong Counter)>();
        byte[] buffer = new byte[64];
        for (int i = 0; i < 100_000; i++)
        {
            int length = sealer.Seal(buffer, 8, (PacketClass)random.NextInt32(4));
            Assert.Equal(PacketHeaderStatus.Ok, PacketHeader.TryRead(buffer.AsSpan(0, length), out PacketHeader header));
            Assert.True(nonces.Add((header.Slot, header.Counter)));
        }
    }

    [Fact]
    public void A_key_makes_one_sealer()
    {
        using RegionKey key = Sealing.Key(1);
        _ = new PacketSealer(Sealing.RegionId, key, 7);
        Assert.Throws<InvalidOperationException>(() => new PacketSealer(Sealing.RegionId, key, 8));
    }

    [Fact]
    public void A_used_up_key_seals_no_more()
    {
        using RegionKey key = Sealing.Key(1);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7, packetsMax: 3);
        byte[] buffer = new byte[64];
        Assert.Equal(45, sealer.Seal(buffer, 1, PacketClass.Data));
        Assert.Equal(45, sealer.Seal(buffer, 1, PacketClass.Control));
        Assert.Equal(45, sealer.Seal(buffer, 1, PacketClass.Data));

        byte[] before = [.. buffer];
        Assert.Equal(0, sealer.Seal(buffer, 1, PacketClass.Nak));
        Assert.Equal(before, buffer);
        Assert.Equal(3ul, sealer.Sealed);
    }

    [Fact]
    public void Frames_that_do_not_fit_spend_no_number()
    {
        using RegionKey key = Sealing.Key(1);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7);
        Assert.Throws<ArgumentException>(() => sealer.Seal(new byte[60], 17, PacketClass.Data));
        Assert.Throws<ArgumentException>(() => sealer.Seal(new byte[80_000], 65_535 - 43, PacketClass.Data));
        Assert.Throws<ArgumentException>(() => sealer.Seal(new byte[100], -1, PacketClass.Data));
        Assert.Equal(0ul, sealer.Sealed);
    }

    [Fact]
    public void Sealing_and_opening_allocate_nothing()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        var sealer = new PacketSealer(Sealing.RegionId, key, 7);
        byte[] buffer = new byte[1_472];
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (int i = 0; i < 2_000; i++)
            {
                int length = sealer.Seal(buffer, 1_400, (PacketClass)(i & 3));
                if (opener.TryOpen(buffer.AsSpan(0, length), 0, out _, out _) != OpenStatus.Ok)
                {
                    throw new InvalidOperationException("An honest packet was refused.");
                }
            }
        }));
    }
}
