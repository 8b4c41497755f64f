"""The text of every recipe, with `$name` where the settings of a plan go."""

_TORCH = """\
# $command
# Yours: model (on several ranks in DistributedDataParallel), optimizer, dataset, collate, save, which keeps a
# checkpoint, and step: the optimizer steps of the checkpoint that the run goes on from, or 0.
import torch.distributed as dist
from torch.utils.data import DataLoader

from bucketplan.order import BatchSampler, Progress, check, read_manifest

rank, ranks = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
manifest = read_manifest($manifest)
check(manifest, dataset, world_size=ranks)
sampler = BatchSampler(manifest, rank, ranks, Progress("progress.json")).from_step(step)
loader = DataLoader(dataset, batch_sampler=sampler, collate_fn=collate, num_workers=2)
for number, batch in enumerate(loader, start=1):
    loss = model(**batch).loss / $accumulation
    loss.backward()
    if number % $accumulation == 0 or number == len(loader):
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        save(step)$stop
"""

_TORCHDATA = """\
# $command
# Yours: model (on several ranks in DistributedDataParallel), optimizer, dataset, collate, save, which keeps a
# checkpoint of each rank, and state: what was saved in the one that the run goes on from, or None.
import torch.distributed as dist
from torchdata.stateful_dataloader import StatefulDataLoader

from bucketplan.order import BatchSampler, check, read_manifest

rank, ranks = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
manifest = read_manifest($manifest)
check(manifest, dataset, world_size=ranks)
loader = StatefulDataLoader(
    dataset, batch_sampler=BatchSampler(manifest, rank, ranks), collate_fn=collate, num_workers=2
)
if state is not None:
    loader.load_state_dict(state["loader"])
micro_batches = len(loader.batch_sampler)
for number, batch in enumerate(loader, start=1 if state is None else state["number"] + 1):
    loss = model(**batch).loss / $accumulation
    loss.backward()
    if number % $accumulation == 0 or number == micro_batches:
        optimizer.step()
        optimizer.zero_grad()
        save({"loader": loader.state_dict(), "number": number})$stop_numbered
"""

_ACCELERATE = """\
# $command
# Yours: model, optimizer, dataset, collate, save, which keeps a checkpoint, and step: the optimizer steps of the
# checkpoint that the run goes on from, or 0.
from accelerate import Accelerator
from torch.utils.data import DataLoader

from bucketplan.order import BatchSampler, check, read_manifest

accelerator = Accelerator(gradient_accumulation_steps=$accumulation)
manifest = read_manifest($manifest)
check(
    manifest,
    dataset,
    world_size=accelerator.num_processes,
    accumulation=accelerator.gradient_accumulation_steps,
    split_batches=accelerator.split_batches,
)
# accelerate deals the micro-batches out to the ranks, one a rank in turn: the sampler names no rank.
loader = DataLoader(dataset, batch_sampler=BatchSampler(manifest).from_step(step), collate_fn=collate)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for batch in loader:
    with accelerator.accumulate(model):
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()
    if accelerator.sync_gradients:
        step += 1
        save(step)$stop
"""

_CHECKS = """\
        check(
            manifest,
            self.train_dataset,
            world_size=self.args.world_size,
            micro_batch=$checked_micro_batch,
            accumulation=self.args.gradient_accumulation_steps,
            epochs=self.args.num_train_epochs,
            split_batches=self.accelerator.split_batches,
            ignore_data_skip=self.args.ignore_data_skip,
        )
"""

FIXED = f"""\
class Planned$trainer($trainer):
    def _get_train_sampler(self, train_dataset=None):
{_CHECKS}\
        return Sampler(manifest)
"""

VARIABLE = f"""\
class Planned$trainer($trainer):
    def get_train_dataloader(self):
{_CHECKS}\
        collate = self._get_collator_with_removed_columns(self.data_collator, description="training")
        loader = DataLoader(
            self.train_dataset,
            batch_sampler=BatchSampler(manifest),
            collate_fn=collate,
            num_workers=self.args.dataloader_num_workers,
        )
        return self.accelerator.prepare(loader)
"""

_TRANSFORMERS = """\
# $command
# Yours: model, dataset, collate, which pads to a multiple of $pad. The order holds all epochs, so the trainer runs one.
${torch_import}from transformers import Trainer, TrainingArguments

from bucketplan.order import $sampler, check, read_manifest

manifest = read_manifest($manifest)


$planned


arguments = TrainingArguments(
    output_dir="out",
    per_device_train_batch_size=$micro_batch,
    gradient_accumulation_steps=$accumulation,
    num_train_epochs=1,
    max_steps=$max_steps,
    seed=$seed,
)
trainer = PlannedTrainer(model=model, args=arguments, train_dataset=dataset, data_collator=collate)
trainer.train()  # after a crash: trainer.train(resume_from_checkpoint=True), with the same order
"""

_TRL = """\
# $command
# Yours: model, dataset (with input_ids), tokenizer. The order holds all epochs, so the trainer runs one.
${torch_import}from trl import SFTConfig, SFTTrainer

from bucketplan.order import $sampler, check, read_manifest

manifest = read_manifest($manifest)


$planned


arguments = SFTConfig(
    output_dir="out",
    per_device_train_batch_size=$micro_batch,
    gradient_accumulation_steps=$accumulation,
    num_train_epochs=1,
    max_steps=$max_steps,
    seed=$seed,
    max_length=$max_length,
    pad_to_multiple_of=$pad_to_multiple,
    shuffle_dataset=False,
    packing=False,
)
trainer = PlannedSFTTrainer(model=model, args=arguments, train_dataset=dataset, processing_class=tokenizer)
trainer.train()  # after a crash: trainer.train(resume_from_checkpoint=True), with the same order
"""

_COPY = """\
# Before training, on the training host:
#   $command --rewrite $copy
#   bucketplan verify $manifest $cache --copy $copy --config THIS_FILE
"""

_AXOLOTL = (
    _COPY
    + """\
# The copy holds all epochs in order, so the trainer runs one. Add base_model and the rest of your own settings.
datasets:
  - path: $copy
    ds_type: json
    type:
curriculum_sampling: true
shuffle_merged_datasets: false
sample_packing: false
val_set_size: 0
sequence_len: $yaml_length
micro_batch_size: $micro_batch
gradient_accumulation_steps: $accumulation
num_epochs: 1
${yaml_steps}seed: $seed
"""
)

_LLAMA_FACTORY = (
    _COPY
    + """\
#   python -c 'import datasets as d; d.DatasetDict(train=d.Dataset.from_json($copy)).save_to_disk("tokenized")'
# The copy holds all epochs in order, so the trainer runs one. Add model_name_or_path and the rest of your own settings.
stage: sft
do_train: true
tokenized_path: tokenized
disable_shuffling: true
packing: false
cutoff_len: $yaml_length
per_device_train_batch_size: $micro_batch
gradient_accumulation_steps: $accumulation
num_train_epochs: 1
${yaml_steps}seed: $seed
"""
)

TEMPLATES = {
    "torch": _TORCH,
    "torchdata": _TORCHDATA,
    "accelerate": _ACCELERATE,
    "transformers": _TRANSFORMERS,
    "trl": _TRL,
    "axolotl": _AXOLOTL,
    "llama-factory": _LLAMA_FACTORY,
}
