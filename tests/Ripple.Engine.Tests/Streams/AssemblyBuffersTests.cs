using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class AssemblyBuffersTests
{
    private const int Count = 65;
    private readonly CoreLoop _core = new(new CoreOptions(), 1);

    [Fact]
    public void A_receiver_has_the_assemblies_of_the_one_before_it_on_its_core()
    {
        AssemblyBuffers buffers = AssemblyBuffers.Of(_core);
        Assembly[] first = buffers.RentAssemblies(Count);
        Assembly[] second = buffers.RentAssemblies(Count);
        Assert.Empty(first.Intersect(second));
        buffers.ReturnAssemblies(first);
        Assert.Same(first, buffers.RentAssemblies(Count));
        Assert.NotSame(first, buffers.RentAssemblies(Count));
    }

    [Fact]
    public void Another_number_of_assemblies_is_made_anew()
    {
        AssemblyBuffers buffers = AssemblyBuffers.Of(_core);
        buffers.ReturnAssemblies(buffers.RentAssemblies(Count));
        Assert.Equal(Count - 1, buffers.RentAssemblies(Count - 1).Length);
    }

    [Fact]
    public void Assemblies_are_given_back_once_and_unfinished_messages_are_forgotten()
    {
        var assembler = new MessageAssembler(_core, new StreamOptions { AssemblyCountMax = Count - 1 });
        Assert.Null(assembler.Take(Part(7, 0, 2_000, 1_000), 1, true));
        assembler.Dispose();
        AssemblyBuffers buffers = AssemblyBuffers.Of(_core);
        Assembly[] next = buffers.RentAssemblies(Count);
        assembler.Dispose();
        Assert.Empty(next.Intersect(buffers.RentAssemblies(Count)));
        Assert.DoesNotContain(next, a => a.IsInUse);
    }

    [Fact]
    public void What_a_handler_still_reads_is_not_the_next_receivers()
    {
        var assembler = new MessageAssembler(_core, new StreamOptions { AssemblyCountMax = Count - 1 });
        Assembly complete = assembler.Take(Part(7, 0, 1_000, 1_000), 1, true)!;
        assembler.Dispose();
        Assert.DoesNotContain(complete, AssemblyBuffers.Of(_core).RentAssemblies(Count));
        Assert.Equal(new byte[1_000], complete.Bytes);
        complete.End();
    }

    private static MessagePart Part(ulong id, uint offset, uint total, int bytes)
    {
        byte[] frames = StreamPackets.Part(1, id, offset, total, bytes);
        int at = StreamPosition.FrameBytes;
        Assert.Equal(DecodeStatus.Ok, FrameReader.ReadHeader(frames, at, out _, out int length));
        return MessagePart.ReadSound(frames.AsSpan(at + FrameReader.HeaderBytes, length));
    }
}
