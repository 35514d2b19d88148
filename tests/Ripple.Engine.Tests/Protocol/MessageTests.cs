using System.Reflection;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Protocol;

/// <summary>Every message of the control channel, found by reflection: a new one is tested by being there.</summary>
public sealed class MessageTests
{
    /// <summary>
    /// A decoder may take so many bytes of memory for each byte it is given, and a little for itself: a count that lies must not buy more.
    /// </summary>
    private const int BytesForAByteMax = 64;
    private const int BytesForItself = 4_096;

    public static TheoryData<string> Messages => [.. MessageCase.All.Select(c => c.Type.Name)];

    [Fact]
    public void Every_number_has_one_message_and_every_message_a_number_of_its_own()
    {
        MessageType[] used = [.. MessageCase.All.Select(c => c.Number).Order()];

        Assert.Equal([.. Enum.GetValues<MessageType>().Where(t => t != MessageType.None).Order()], used);
    }

    [Theory]
    [MemberData(nameof(Messages))]
    public void Message_comes_back_as_it_was_written(string name)
    {
        MessageCase message = MessageCase.Find(name);
        for (int number = Specimen.Least; number < 40; number++)
        {
            byte[] bytes = message.Encode(Specimen.Make(message.Type, number));

            Assert.Equal(DecodeStatus.Ok, message.TryRead(bytes, out object? read));
            Assert.Equal(bytes, message.Encode(read!));
        }
    }

    [Fact]
    public void The_shortest_entries_of_a_snapshot_are_read()
    {
        var shortest = new SnapshotKey(string.Empty, default, 0, 0);
        byte[] bytes = MessageCodec.Encode(new SnapshotKeys(1, [shortest, new SnapshotKey("k", default, 0, 0)]));

        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(bytes, out SnapshotKeys? read));
        Assert.Equal([string.Empty, "k"], read!.Keys.Select(k => k.Key));
        bytes = MessageCodec.Encode(new SnapshotKeys(1, [shortest]));
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(bytes, out read));
        Assert.Single(read!.Keys);
    }

    [Theory]
    [MemberData(nameof(Messages))]
    public void Every_part_of_a_message_is_on_the_wire(string name)
    {
        MessageCase message = MessageCase.Find(name);
        ConstructorInfo constructor = Specimen.ConstructorOf(message.Type);
        ParameterInfo[] parameters = constructor.GetParameters();
        byte[] least = message.Encode(Specimen.Make(message.Type, Specimen.Least));
        for (int i = 0; i < parameters.Length; i++)
        {
            object[] values = [.. parameters.Select((p, at) => Specimen.Value(p, at == i ? 7 : Specimen.Least))];
            byte[] bytes = message.Encode(constructor.Invoke(values));

            Assert.True(!bytes.AsSpan().SequenceEqual(least), $"{name}.{parameters[i].Name} does not change what is written");
            Assert.Equal(DecodeStatus.Ok, message.TryRead(bytes, out object? read));
            Assert.Equal(bytes, message.Encode(read!));
        }
    }

    [Theory]
    [MemberData(nameof(Messages))]
    public void Every_truncation_and_every_byte_too_many_is_refused(string name)
    {
        MessageCase message = MessageCase.Find(name);
        byte[] bytes = message.Encode(Specimen.Make(message.Type, 5));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.NotEqual(DecodeStatus.Ok, message.TryRead(bytes.AsSpan(0, length), out object? read));
            Assert.Null(read);
        }

        Assert.NotEqual(DecodeStatus.Ok, message.TryRead([.. bytes, 0], out _));
    }

    [Theory]
    [MemberData(nameof(Messages))]
    public void Hostile_bytes_give_a_status_and_cost_little(string name)
    {
        MessageCase message = MessageCase.Find(name);
        var fuzz = new FuzzBytes(
            (ulong)message.Number, [.. new[] { Specimen.Least, 1, 2, 5 }.Select(n => message.Encode(Specimen.Make(message.Type, n)))]);
        int refused = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            ReadOnlySpan<byte> bytes = fuzz.Next();
            DecodeStatus status = Decode(message, bytes, i, out long allocated);
            long most = BytesForItself + ((long)bytes.Length * BytesForAByteMax);

            // A collection that another thread starts counts what is left of this thread's allocation context (up to 8 KiB) as taken.
            // The decoder has no state, so what an input really costs it costs every time.
            for (int again = 0; again < 3 && allocated > most; again++)
            {
                Decode(message, bytes, i, out allocated);
            }

            if (allocated > most)
            {
                Assert.Fail($"input {i} of {bytes.Length} bytes makes the decoder take {allocated}: {Convert.ToHexString(bytes)}");
            }

            refused += status == DecodeStatus.Ok ? 0 : 1;
        }

        Assert.True(refused > FuzzCount.Value / 10, $"only {refused} of {FuzzCount.Value} inputs were refused");
    }

    private static DecodeStatus Decode(MessageCase message, ReadOnlySpan<byte> bytes, int input, out long allocated)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            DecodeStatus status = message.TryRead(bytes, out object? read);
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            if (read is null == (status == DecodeStatus.Ok))
            {
                Assert.Fail($"input {input} gives {status} and {read}: {Convert.ToHexString(bytes)}");
            }

            return status;
        }
        catch (Exception error) when (error is not Xunit.Sdk.XunitException)
        {
            Assert.Fail($"input {input} throws {error.GetType().Name} ({error.Message}): {Convert.ToHexString(bytes)}");
            throw;
        }
    }
}
