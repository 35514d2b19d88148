using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>A publish whose values come in parts. Core thread.</summary>
internal sealed class PublishUpload
{
    /// <summary>The time that every publish has.</summary>
    private const long GraceNs = 10_000_000_000;

    /// <summary>The pace its values must keep: as over HTTP.</summary>
    private const long BytesPerSecondMin = 64 * 1_024;

    private readonly PublishBegin _begin;
    private readonly byte[] _bytes;
    private int _received;

    /// <param name="begin">What was announced; no more than a publish may have.</param>
    /// <param name="lease">Its room.</param>
    /// <param name="nowNs">The present.</param>
    public PublishUpload(PublishBegin begin, UploadBudget.Lease lease, long nowNs)
    {
        DueNs = nowNs + GraceNs + (ValueBytes(begin) * 1_000_000_000 / BytesPerSecondMin);
        _begin = begin;
        Lease = lease;
        _bytes = new byte[checked((int)ValueBytes(begin))];
    }

    public uint Call => _begin.Call;

    /// <summary>When all of it must have come: what is announced and not sent holds room that others wait for.</summary>
    public long DueNs { get; }

    /// <summary>Its room in the host's budget.</summary>
    public UploadBudget.Lease Lease { get; }

    /// <summary>The bytes it holds besides its values, about.</summary>
    public long OwnHeadBytes => HeadBytes(_begin);

    public bool IsComplete => _received == _bytes.Length;

    /// <summary>The bytes of values that a publish announces; more than is allowed is for the caller to refuse.</summary>
    public static long ValueBytes(PublishBegin begin) => begin.Keys.Sum(k => k.IsRemove ? 0L : k.Length);

    /// <summary>The bytes of its beginning, about: names, note and what goes with each.</summary>
    public static long HeadBytes(PublishBegin begin) => PublishInput.HeadBytesOf(begin.Note, begin.Keys.Select(k => k.Key));

    /// <summary>False when more comes than was announced.</summary>
    public bool TryAdd(ReadOnlySpan<byte> part)
    {
        if (part.Length > _bytes.Length - _received)
        {
            return false;
        }

        part.CopyTo(_bytes.AsSpan(_received));
        _received += part.Length;
        return true;
    }

    /// <summary>Nothing more comes of it. A complete one goes on without its connection, and keeps its room until it has an end.</summary>
    public void Drop()
    {
        Lease.ReturnHead();
        if (!IsComplete)
        {
            Lease.Dispose();
        }
    }

    public PublishInput ToInput()
    {
        var keys = new List<PublishInputKey>(_begin.Keys.Count);
        int offset = 0;
        foreach (PublishKey key in _begin.Keys)
        {
            if (key.IsRemove)
            {
                keys.Add(new PublishInputKey(key.Key, null));
                continue;
            }

            keys.Add(new PublishInputKey(key.Key, _bytes.AsMemory(offset, (int)key.Length)));
            offset += (int)key.Length;
        }

        return new PublishInput(_begin.Application, _begin.PublishId, _begin.Expected, _begin.Note, keys)
        {
            Trace = TraceContext.TryParse(_begin.TraceParent),
        };
    }
}
