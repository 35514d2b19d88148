using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Protocol;

/// <summary>The release message travels in streams and in catch-ups: its decoder sees whatever a member sends.</summary>
public sealed class ReleaseMessageFuzzTests
{
    [Fact]
    public void Message_comes_back_as_it_was_written()
    {
        foreach (byte[] bytes in Valid())
        {
            Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(bytes, out ReleaseMessage? message));
            Assert.Equal(bytes, Encode(message!));
        }
    }

    [Fact]
    public void Values_fill_a_message_and_leave_room_for_all_that_travels_with_them()
    {
        byte[] value = new byte[500];
        KeyChange[] changes = [.. Enumerable.Range(0, 400).Select(i => KeyChange.Set($"k{i:000}", KeyForm.Bytes, value))];
        var signature = new ReleaseSignature(77, new byte[ReleaseSignature.SignatureBytes]);
        var trace = TraceContext.TryParse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

        byte[] bytes = ReleaseMessage.Encode(Headers.First(changes), signature, _ => value, int.MaxValue, trace);

        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(bytes, out ReleaseMessage? message));
        // A value that is left out needs no length: four bytes less than are set aside for it.
        int lengths = 4 * message!.Bodies.Count(b => b is null);
        Assert.InRange(bytes.Length + lengths, WireLimits.MessageBytesMax - value.Length - 128, WireLimits.MessageBytesMax);
        Assert.Equal(trace!.ToString(), message.Trace!.ToString());
        Assert.InRange(message.Bodies.Count(b => b is null), 1, changes.Length - 1);
    }

    [Fact]
    public void Every_truncation_is_refused()
    {
        foreach (byte[] bytes in Valid())
        {
            for (int length = 0; length < bytes.Length; length++)
            {
                Assert.NotEqual(DecodeStatus.Ok, ReleaseMessage.TryRead(bytes.AsSpan(0, length), out ReleaseMessage? message));
                Assert.Null(message);
            }
        }
    }

    [Fact]
    public void Hostile_bytes_give_a_status()
    {
        var fuzz = new FuzzBytes(1, [.. Valid()]);
        int refused = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            ReadOnlySpan<byte> bytes = fuzz.Next();
            try
            {
                refused += ReleaseMessage.TryRead(bytes, out ReleaseMessage? message) == DecodeStatus.Ok ? 0 : 1;
                _ = message?.Header.Id;
            }
            catch (Exception error)
            {
                Assert.Fail($"input {i} throws {error.GetType().Name} ({error.Message}): {Convert.ToHexString(bytes)}");
            }
        }

        Assert.True(refused > FuzzCount.Value / 10, $"only {refused} of {FuzzCount.Value} inputs were refused");
    }

    private static IEnumerable<byte[]> Valid()
    {
        var signature = new ReleaseSignature(77, Enumerable.Range(0, ReleaseSignature.SignatureBytes).Select(i => (byte)i).ToArray());
        ReleaseHeader first = Headers.First(Headers.Set("a", "one"), Headers.Set("b", string.Empty), Headers.Set("c", "three"));
        ReleaseState.Empty("shop").Apply(first, out ReleaseState state);
        ReleaseHeader second = Headers.After(state, Headers.Set("a", "two"), KeyChange.Remove("b"));
        yield return ReleaseMessage.Encode(first, signature, Value, 1_024);
        yield return ReleaseMessage.Encode(first, null, Value, 4);
        yield return ReleaseMessage.Encode(second, signature, Value, 1_024);
        yield return ReleaseMessage.Encode(second, null, _ => null, 0);
    }

    private static byte[] Encode(ReleaseMessage message)
    {
        var bodies = new SortedDictionary<Digest160, ReadOnlyMemory<byte>>();
        for (int i = 0; i < message.Bodies.Count; i++)
        {
            if (message.Bodies[i] is { } body)
            {
                bodies[message.Header.Changes[i].Digest] = body;
            }
        }

        return ReleaseMessage.Encode(
            message.Header,
            message.Signature,
            d => bodies.TryGetValue(d, out ReadOnlyMemory<byte> body) ? body : (ReadOnlyMemory<byte>?)null,
            1_024);
    }

    private static ReadOnlyMemory<byte>? Value(Digest160 digest)
    {
        foreach (string value in new[] { "one", "two", "three", string.Empty })
        {
            byte[] bytes = System.Text.Encoding.UTF8.GetBytes(value);
            if (ContentDigest.Compute(bytes) == digest)
            {
                return bytes;
            }
        }

        return null;
    }
}
