using System.Text;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>A publish whose values are coming in parts. Core thread.</summary>
internal sealed class PublishUpload
{
    private readonly PublishBegin _begin;
    private readonly byte[] _bytes;
    private int _received;

    private PublishUpload(PublishBegin begin, int total)
    {
        _begin = begin;
        _bytes = new byte[total];
    }

    public uint Call => _begin.Call;

    public string Application => _begin.Application;

    public int TotalBytes => _bytes.Length;

    /// <summary>The bytes it holds besides its values, about.</summary>
    public int BegunBytes => KeyBytes(_begin);

    public bool IsComplete => _received == _bytes.Length;

    /// <summary>The bytes a publish announces; more than is allowed is for the caller to refuse.</summary>
    public static long Announced(PublishBegin begin) => begin.Keys.Sum(k => k.IsRemove ? 0L : k.Length);

    /// <summary>The bytes of its beginning, about: names, note and what goes with each.</summary>
    public static int KeyBytes(PublishBegin begin)
    {
        int bytes = 512 + begin.Note.Length;
        foreach (PublishKey key in begin.Keys)
        {
            bytes += Encoding.UTF8.GetByteCount(key.Key) + 7;
        }

        return bytes;
    }

    public static PublishUpload Begin(PublishBegin begin) => new(begin, checked((int)Math.Min(Announced(begin), ReleaseLimits.PublishBytesMax)));

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

        return new PublishInput(_begin.Application, _begin.PublishId, _begin.ExpectedRelease, _begin.Note, keys) { Trace = TraceContext.TryParse(_begin.TraceParent) };
    }
}
