using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Ripple.Architecture.Tests;

/// <summary>
/// <c>found ? memory : null</c> compiles to an empty memory and not to no memory, because null converts to an array and that to memory.
/// Where null means "not here" and empty means "an empty value", the difference is a value that nobody published.
/// </summary>
public sealed class NullMemoryTests
{
    public static TheoryData<string> Assemblies => [.. Repository.SourceProjects.Select(p => p.Name)];

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void Null_never_becomes_an_empty_memory(string assembly)
    {
        using FileStream stream = File.OpenRead(Assembly.Load(assembly).Location);
        using var file = new PEReader(stream);
        MetadataReader reader = file.GetMetadataReader();

        Rule.Holds(
            from handle in reader.MethodDefinitions
            let method = reader.GetMethodDefinition(handle)
            where method.RelativeVirtualAddress != 0 && ConvertsNull(reader, file.GetMethodBody(method.RelativeVirtualAddress))
            let type = reader.GetTypeDefinition(method.GetDeclaringType())
            select $"{reader.GetString(type.Name)}.{reader.GetString(method.Name)} writes '? memory : null': "
                + $"say (ReadOnlyMemory<byte>?)null");
    }

    private static bool ConvertsNull(MetadataReader reader, MethodBodyBlock body)
    {
        IReadOnlyList<IlCode> il = IlCode.Of(body);
        for (int i = 0; i < il.Count - 2; i++)
        {
            if (il[i].Code == OpCodes.Ldnull && il[i + 1].Code == OpCodes.Call && IsMemoryConversion(reader, il[i + 1].Operand))
            {
                // The other branch of the choice stands between; both meet where a nullable is made, of what was meant to be null.
                IlCode next = il[i + 2];
                OpCode met = next.Code == OpCodes.Br || next.Code == OpCodes.Br_S ? il.First(c => c.Offset == next.Target).Code : next.Code;
                if (met == OpCodes.Newobj)
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static bool IsMemoryConversion(MetadataReader reader, EntityHandle handle) =>
        handle.Kind == HandleKind.MemberReference
        && reader.GetMemberReference((MemberReferenceHandle)handle) is var member
        && reader.GetString(member.Name) == "op_Implicit"
        && member.Parent.Kind == HandleKind.TypeSpecification
        && reader.GetBlobReader(reader.GetTypeSpecification((TypeSpecificationHandle)member.Parent).Signature) is var blob
        && blob.ReadSignatureTypeCode() == SignatureTypeCode.GenericTypeInstance
        && blob.ReadByte() is 0x11 or 0x12
        && blob.ReadTypeHandle() is { Kind: HandleKind.TypeReference } type
        && reader.GetString(reader.GetTypeReference((TypeReferenceHandle)type).Name) is "ReadOnlyMemory`1" or "Memory`1";
}
