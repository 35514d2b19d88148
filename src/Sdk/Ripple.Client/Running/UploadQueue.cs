using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Client.Running;

/// <summary>
/// Sends the values of publishes as fast as the link accepts them, one publish after another. Leaves room in the link's buffer for this
/// node's other messages: heartbeats and acknowledgments must not wait behind an upload. Core thread.
/// </summary>
internal sealed class UploadQueue
{
    /// <summary>Maximum number of value bytes in one frame.</summary>
    public const int PartBytesMax = 65_536;

    private const int ReservedBytes = 32_768;
    private const long PollNs = 2_000_000;
    private readonly Queue<Upload> _uploads = [];
    private readonly CoreLoop _core;
    private readonly Alarm _poll;

    public UploadQueue(CoreLoop core)
    {
        _core = core;
        _poll = new Alarm(Pump);
    }

    /// <summary>Adds a publish whose <see cref="PublishBegin"/> has been sent on this link.</summary>
    public void Add(ILink link, uint call, IReadOnlyList<ReadOnlyMemory<byte>> values)
    {
        _uploads.Enqueue(new Upload(link, call, values));
        Pump();
    }

    /// <summary>Sends as much as the link has room for.</summary>
    public void Pump()
    {
        while (_uploads.TryPeek(out Upload? upload))
        {
            if (!upload.TryNext(out ReadOnlyMemory<byte> part))
            {
                _uploads.Dequeue();
                continue;
            }

            bool hasRoom = upload.Link.SendRoomBytes >= part.Length + ReservedBytes;
            if (!hasRoom || !upload.Link.TrySend(new PublishPart(upload.Call, part)))
            {
                _core.Alarms.ScheduleNoLater(_poll, _core.NowNs + PollNs);
                return;
            }

            upload.Advance(part.Length);
        }
    }

    /// <summary>Stops sending the values of an answered publish.</summary>
    public void End(uint call)
    {
        foreach (Upload upload in _uploads)
        {
            if (upload.Call == call)
            {
                upload.End();
            }
        }
    }

    /// <summary>Drops all uploads: the connection and its calls are gone.</summary>
    public void Clear()
    {
        _uploads.Clear();
        _core.Alarms.Cancel(_poll);
    }

    private sealed class Upload(ILink link, uint call, IReadOnlyList<ReadOnlyMemory<byte>> values)
    {
        private int _value;
        private int _offset;

        public ILink Link => link;

        public uint Call => call;

        public bool TryNext(out ReadOnlyMemory<byte> part)
        {
            while (_value < values.Count && _offset == values[_value].Length)
            {
                _value++;
                _offset = 0;
            }

            part = _value == values.Count
                ? default
                : values[_value].Slice(_offset, Math.Min(PartBytesMax, values[_value].Length - _offset));
            return _value < values.Count;
        }

        public void End() => _value = values.Count;

        public void Advance(int bytes) => _offset += bytes;
    }
}
