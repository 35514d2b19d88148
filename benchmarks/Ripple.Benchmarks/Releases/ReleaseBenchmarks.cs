using System.Security.Cryptography;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Benchmarks.Releases;

/// <summary>A release that sets one key of 1 KB: its header, and the message it travels in.</summary>
public class ReleaseBenchmarks
{
    private readonly byte[] _value = RandomNumberGenerator.GetBytes(1_024);
    private readonly Guid _publishId = Guid.NewGuid();
    private KeyChange? _change;
    private ReleaseHeader? _header;
    private byte[] _encodedHeader = [];
    private byte[] _message = [];

    [GlobalSetup]
    public void SetUp()
    {
        _change = KeyChange.Set("settings.json", KeyForm.Bytes, _value);
        _header = MakeHeader();
        _encodedHeader = _header.Encode();
        _message = EncodeMessage();
        if (!DecodeHeader() || !DecodeMessage())
        {
            throw new InvalidOperationException("What was encoded cannot be decoded.");
        }
    }

    /// <summary>With the header object: its encoding is made once, and kept.</summary>
    [Benchmark]
    public byte[] EncodeHeader() => MakeHeader().Encode();

    [Benchmark]
    public bool DecodeHeader() => ReleaseHeader.TryDecode(_encodedHeader, out _);

    [Benchmark]
    public byte[] EncodeMessage() => ReleaseMessage.Encode(_header!, signature: null, _ => _value, inlineBytesMax: 4_096);

    [Benchmark]
    public bool DecodeMessage() => ReleaseMessage.TryRead(_message, out _) == DecodeStatus.Ok;

    private ReleaseHeader MakeHeader() => new()
    {
        Kind = ReleaseKind.Creation,
        Application = "shop",
        Generation = 1,
        Release = 1,
        SlotEpoch = 1,
        PreviousId = default,
        PublishId = _publishId,
        Actor = "ann",
        TimeUnixMicros = 1_700_000_000_000_000,
        Note = "a note",
        Changes = [_change!],
        StateRoot = default,
    };
}
